import { pointerSteps } from "../../utils/jsonpointer";

/** A complaint about one place of the value; the pointer is a JSON Pointer, "" the whole. */
export interface FieldError {
  pointer: string;
  message: string;
}

/** Errors found by place. */
export class ErrorIndex {
  private readonly byPointer = new Map<string, string[]>();
  private readonly ancestors = new Set<string>();

  constructor(readonly all: readonly FieldError[]) {
    for (const { pointer, message } of all) {
      const messages = this.byPointer.get(pointer);
      if (messages === undefined) this.byPointer.set(pointer, [message]);
      else if (!messages.includes(message)) messages.push(message);
      for (let at = pointer.lastIndexOf("/"); at >= 0; at = pointer.lastIndexOf("/", at - 1)) {
        this.ancestors.add(pointer.slice(0, at));
        if (at === 0) break;
      }
    }
  }

  static readonly none = new ErrorIndex([]);

  /** Messages about exactly this place. */
  at(pointer: string): readonly string[] {
    return this.byPointer.get(pointer) ?? [];
  }

  /** Whether something at or inside this place is wrong. */
  within(pointer: string): boolean {
    return this.byPointer.has(pointer) || this.ancestors.has(pointer);
  }

  /** Messages about this place and everything inside it, the inner ones with their way there. */
  under(pointer: string): string[] {
    if (!this.within(pointer)) return [];
    return this.all
      .filter((error) => error.pointer === pointer || error.pointer.startsWith(`${pointer}/`))
      .map((error) => {
        const way = pointerSteps(error.pointer.slice(pointer.length)).join(" › ");
        return way === "" ? error.message : `${way}: ${error.message}`;
      });
  }
}

/** The id of the element that stands for a place. Distinct places have distinct ids. */
export function fieldId(prefix: string, pointer: string): string {
  return `${prefix}-at${pointer.replace(/[^A-Za-z0-9/]/g, (char) => `_${char.codePointAt(0)?.toString(16) ?? ""}_`).replaceAll("/", ".")}`;
}
