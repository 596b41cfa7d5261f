/**
 * The one JSON value model of the page. It keeps what `JSON.parse` loses: the
 * text of every number, the order of keys (also of keys like "2" and "1"),
 * repeated keys and keys like `__proto__`. Strings, booleans, null and arrays
 * are their JavaScript selves.
 *
 * `lossless-json` was tried first: it keeps number texts, but reorders
 * integer-like keys, accepts a repeated key with an equal value and overflows
 * the stack on deep nesting.
 */
export type JsonValue = null | boolean | string | JsonNumber | JsonObject | readonly JsonValue[];

/** One member of an object, in document order. */
export type JsonEntry = readonly [key: string, value: JsonValue];

/** A number as its exact JSON text. */
export class JsonNumber {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/** Objects with more members than this get an index on first look-up. */
const INDEX_FROM = 12;

/** An immutable JSON object. Every change makes a new object that shares the unchanged members. */
export class JsonObject {
  private index: Map<string, number> | undefined;

  constructor(readonly entries: readonly JsonEntry[]) {}

  static readonly empty = new JsonObject([]);

  static of(members: Record<string, JsonValue>): JsonObject {
    return new JsonObject(Object.entries(members));
  }

  get size(): number {
    return this.entries.length;
  }

  /** Position of the first member with this key, or -1. */
  indexOf(key: string): number {
    if (this.entries.length <= INDEX_FROM) {
      return this.entries.findIndex((entry) => entry[0] === key);
    }
    if (this.index === undefined) {
      const index = new Map<string, number>();
      this.entries.forEach((entry, at) => {
        if (!index.has(entry[0])) index.set(entry[0], at);
      });
      this.index = index;
    }
    return this.index.get(key) ?? -1;
  }

  has(key: string): boolean {
    return this.indexOf(key) >= 0;
  }

  /** The value of the first member with this key; undefined when there is none (null is a value). */
  get(key: string): JsonValue | undefined {
    return this.entries[this.indexOf(key)]?.[1];
  }

  keys(): string[] {
    return this.entries.map((entry) => entry[0]);
  }

  /** The object with this member set: replaced in place, or added at the end. */
  with(key: string, value: JsonValue): JsonObject {
    const at = this.indexOf(key);
    if (at < 0) return new JsonObject([...this.entries, [key, value]]);
    if (this.entries[at]?.[1] === value) return this;
    const entries = this.entries.slice();
    entries[at] = [key, value];
    return new JsonObject(entries);
  }

  /** The object without any member of this key. */
  without(key: string): JsonObject {
    if (!this.has(key)) return this;
    return new JsonObject(this.entries.filter((entry) => entry[0] !== key));
  }

  /** The object with one key changed, the member staying where it is. */
  renamed(from: string, to: string): JsonObject {
    const at = this.indexOf(from);
    const entry = this.entries[at];
    if (entry === undefined) return this;
    const entries = this.entries.slice();
    entries[at] = [to, entry[1]];
    return new JsonObject(entries);
  }
}

/** The JSON type of a value, with numbers as one type. */
export type JsonType = "null" | "boolean" | "string" | "number" | "object" | "array";

export function typeOf(value: JsonValue): JsonType {
  if (value === null) return "null";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "string") return "string";
  if (value instanceof JsonNumber) return "number";
  if (value instanceof JsonObject) return "object";
  return "array";
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof JsonObject;
}

export function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isNumber(value: JsonValue | undefined): value is JsonNumber {
  return value instanceof JsonNumber;
}

/** The text of a string value, undefined for any other value. */
export function asString(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
