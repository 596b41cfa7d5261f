import { type JsonEntry, JsonNumber, JsonObject, type JsonValue } from "./json";

/** What is wrong with a JSON text, and where. Line and column count from 1, the column in UTF-16 units. */
export interface JsonProblem {
  message: string;
  offset: number;
  line: number;
  column: number;
}

export type JsonParse = { ok: true; value: JsonValue } | { ok: false; problem: JsonProblem };

export interface ParseOptions {
  /** Keep repeated keys as they stand instead of refusing the text. For showing, not for sending. */
  keepDuplicates?: boolean;
}

/** Nesting beyond this is refused, so that nothing that walks the value later can overflow. */
export const MAX_DEPTH = 2_000;

class Stop extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

type Open = { object: true; entries: JsonEntry[]; seen: Set<string>; key: string } | { object: false; items: JsonValue[] };

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** The plain part of a string: anything but quote, backslash and control characters. */
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPES: Record<string, string> = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Reads strict JSON (RFC 8259) without recursion and without losing a digit. */
export function parseJson(text: string, options: ParseOptions = {}): JsonParse {
  try {
    return { ok: true, value: new Reader(text, options.keepDuplicates === true).document() };
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return { ok: false, problem: { message: error.message, ...position(text, error.offset) } };
  }
}

/** Line and column of an offset. */
export function position(text: string, offset: number): { offset: number; line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) {
    line++;
    start = at + 1;
  }
  return { offset, line, column: offset - start + 1 };
}

class Reader {
  private at = 0;
  private readonly open: Open[] = [];

  constructor(
    private readonly text: string,
    private readonly keepDuplicates: boolean,
  ) {}

  document(): JsonValue {
    this.space();
    if (this.at >= this.text.length) throw new Stop("Nothing is written here", this.at);
    for (;;) {
      let value = this.begin();
      while (value !== undefined) {
        const top = this.open.at(-1);
        if (top === undefined) return this.finish(value);
        value = this.append(top, value);
      }
    }
  }

  private finish(value: JsonValue): JsonValue {
    this.space();
    if (this.at < this.text.length) throw new Stop("There is more text after the end of the value", this.at);
    return value;
  }

  /** Reads the start of a value: a whole scalar or an empty container; undefined when a container was opened. */
  private begin(): JsonValue | undefined {
    this.space();
    const char = this.text[this.at];
    if (char === "{" || char === "[") return this.beginContainer(char);
    if (char === '"') return this.string();
    if (char === "-" || (char !== undefined && char >= "0" && char <= "9")) return this.number();
    for (const [word, value] of [["true", true], ["false", false], ["null", null]] as const) {
      if (this.text.startsWith(word, this.at) && !/\w/.test(this.text[this.at + word.length] ?? "")) {
        this.at += word.length;
        return value;
      }
    }
    throw new Stop(this.strayValue(char), this.at);
  }

  private beginContainer(char: string): JsonValue | undefined {
    if (this.open.length >= MAX_DEPTH) throw new Stop(`Nested more than ${MAX_DEPTH} levels deep`, this.at);
    this.at++;
    this.space();
    if (char === "{") {
      if (this.take("}")) return JsonObject.empty;
      const frame: Open = { object: true, entries: [], seen: new Set(), key: "" };
      this.key(frame);
      this.open.push(frame);
      return undefined;
    }
    if (this.take("]")) return [];
    this.open.push({ object: false, items: [] });
    return undefined;
  }

  /** Adds a finished value to the container; gives back the container when that ends it. */
  private append(top: Open, value: JsonValue): JsonValue | undefined {
    if (top.object) top.entries.push([top.key, value]);
    else top.items.push(value);
    this.space();
    const close = top.object ? "}" : "]";
    if (this.take(",")) {
      this.space();
      if (this.text[this.at] === close) throw new Stop("A comma stands before the end; take it out", this.at);
      if (top.object) this.key(top);
      return undefined;
    }
    if (!this.take(close)) {
      const place = this.at >= this.text.length ? "The text ends too early: " : "";
      throw new Stop(`${place}expected a comma or ${close}`, this.at);
    }
    this.open.pop();
    return top.object ? new JsonObject(top.entries) : top.items;
  }

  private key(frame: Open & { object: true }): void {
    const start = this.at;
    if (this.text[start] !== '"') throw new Stop("Expected a key in double quotes", start);
    frame.key = this.string();
    if (frame.seen.has(frame.key) && !this.keepDuplicates) {
      throw new Stop(`The key ${JSON.stringify(frame.key)} stands here twice`, start);
    }
    frame.seen.add(frame.key);
    this.space();
    if (!this.take(":")) throw new Stop("Expected a colon after the key", this.at);
  }

  private number(): JsonNumber {
    const start = this.at;
    NUMBER.lastIndex = start;
    const match = NUMBER.exec(this.text);
    if (match === null) throw new Stop("Expected a digit", start + 1);
    this.at += match[0].length;
    const next = this.text[this.at];
    if (next !== undefined && /[\w.+-]/.test(next)) {
      throw new Stop(match[0] === "0" || match[0] === "-0" ? "A number cannot start with 0 like this" : "Not a number", this.at);
    }
    return new JsonNumber(match[0]);
  }

  private string(): string {
    const start = this.at;
    this.at++;
    let out = "";
    for (;;) {
      PLAIN.lastIndex = this.at;
      const run = PLAIN.exec(this.text)?.[0] ?? "";
      out += run;
      this.at += run.length;
      const char = this.text[this.at];
      if (char === '"') {
        this.at++;
        return out;
      }
      if (char === undefined) throw new Stop("This text in quotes does not end", start);
      if (char !== "\\") throw new Stop("A line break or control character inside quotes; write it as \\n, \\t or \\u00XX", this.at);
      out += this.escape();
    }
  }

  private escape(): string {
    const char = this.text[this.at + 1] ?? "";
    if (char === "u") {
      const hex = this.text.slice(this.at + 2, this.at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw new Stop("\\u needs four hexadecimal digits", this.at);
      this.at += 6;
      return String.fromCharCode(parseInt(hex, 16));
    }
    const plain = ESCAPES[char];
    if (plain === undefined) throw new Stop("An unknown escape after the backslash", this.at);
    this.at += 2;
    return plain;
  }

  private space(): void {
    SPACE.lastIndex = this.at;
    this.at += SPACE.exec(this.text)?.[0].length ?? 0;
  }

  private take(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at++;
    return true;
  }

  private strayValue(char: string | undefined): string {
    if (char === undefined) return "The text ends too early: expected a value";
    if (char === "'" || char === "‘" || char === "“") return "Expected a value; text needs straight double quotes";
    if (this.text.startsWith("//", this.at) || this.text.startsWith("/*", this.at)) return "JSON has no comments";
    if (char === "," || char === "]" || char === "}") return "Expected a value here";
    return "Expected a value; text needs double quotes around it";
  }
}
