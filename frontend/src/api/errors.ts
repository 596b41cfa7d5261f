import type { AppError } from "./types";

/** What a call of the back end rejects with. */
export class Fault extends Error implements AppError {
  readonly code: AppError["code"];
  readonly hint: string;
  readonly id: string;

  constructor(error: AppError) {
    super(error.message);
    this.name = "Fault";
    this.code = error.code;
    this.hint = error.hint;
    this.id = error.id;
  }
}

/** Makes a Fault of whatever was thrown. The bridge gives an Error, or text, that holds JSON. */
export function faultOf(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === "object" && read !== null && "code" in read && "message" in read) {
      const { code, message, hint = "", id = "" } = read as Partial<AppError>;
      return new Fault({ code: code ?? "internal", message: String(message), hint: String(hint), id: String(id) });
    }
  } catch {
    // Not JSON: the text itself is all there is.
  }
  return new Fault({ code: "internal", message: text === "" ? "Something went wrong." : text, hint: "", id: "" });
}
