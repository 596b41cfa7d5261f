import { isArray, isNumber, isObject, type JsonEntry, JsonObject, type JsonValue } from "./json";

interface Frame {
  close: string;
  entries: readonly JsonEntry[] | undefined;
  items: readonly JsonValue[] | undefined;
  next: number;
}

/**
 * Writes a value as JSON text without recursion. Numbers come out as the text
 * they came in with, keys in their order. With `indent` blanks per level it is
 * spread over lines; with 0 it is compact.
 */
export function writeJson(value: JsonValue, indent = 0): string {
  const out: string[] = [];
  const frames: Frame[] = [];
  const line = (depth: number) => (indent > 0 ? `\n${" ".repeat(indent * depth)}` : "");
  const colon = indent > 0 ? ": " : ":";

  const begin = (item: JsonValue): void => {
    if (isObject(item)) {
      if (item.size === 0) out.push("{}");
      else {
        out.push("{");
        frames.push({ close: "}", entries: item.entries, items: undefined, next: 0 });
      }
    } else if (isArray(item)) {
      if (item.length === 0) out.push("[]");
      else {
        out.push("[");
        frames.push({ close: "]", entries: undefined, items: item, next: 0 });
      }
    } else if (isNumber(item)) out.push(item.text);
    else out.push(JSON.stringify(item));
  };

  begin(value);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const at = frame.next++;
    const entry = frame.entries?.[at];
    const item = entry === undefined ? frame.items?.[at] : entry[1];
    if (item === undefined) {
      frames.pop();
      out.push(line(frames.length), frame.close);
      continue;
    }
    out.push(at > 0 ? "," : "", line(frames.length));
    if (entry !== undefined) out.push(JSON.stringify(entry[0]), colon);
    begin(item);
  }
  return out.join("");
}

/** The value as compact JSON, cut to about `limit` characters with an ellipsis. For one-line previews only. */
export function previewJson(value: JsonValue, limit = 80): string {
  const head = writeJson(shallow(value, limit));
  return head.length > limit ? `${head.slice(0, limit - 1)}…` : head;
}

/** Drops what cannot show within the limit anyway, so that a preview of a large value stays cheap. */
function shallow(value: JsonValue, limit: number): JsonValue {
  if (typeof value === "string") return value.slice(0, limit);
  const few = Math.ceil(limit / 4);
  const inner = limit / 2;
  if (isArray(value)) return limit < 4 ? [] : value.slice(0, few).map((item) => shallow(item, inner));
  if (isObject(value)) {
    const entries = limit < 4 ? [] : value.entries.slice(0, few);
    return new JsonObject(entries.map(([key, item]) => [key.slice(0, limit), shallow(item, inner)]));
  }
  return value;
}
