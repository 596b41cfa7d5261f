import { isObject, JsonObject, type JsonValue } from "../../utils/json";
import { describe } from "./describe";
import type { SchemaDoc } from "./doc";
import type { FieldNode, ListNode, ObjectNode } from "./node";

/** More rows than this are not made beforehand, whatever `minItems` says. */
const MAX_ROWS = 50;
const MAX_NESTING = 24;

/** The value that a form starts from. Objects only, since arguments are one. */
export function initialRoot(doc: SchemaDoc): JsonObject {
  const value = initialValue(doc, doc.root);
  return isObject(value) ? value : JsonObject.empty;
}

/**
 * What a field holds once it is there without having been touched: its
 * default, its fixed value, the empty text, an object with what is required
 * and what has defaults. Undefined where a person has to choose.
 */
export function initialValue(doc: SchemaDoc, schema: JsonValue, nesting = 0): JsonValue | undefined {
  return initialOf(doc, describe(doc, schema), nesting);
}

function initialOf(doc: SchemaDoc, node: FieldNode, nesting: number): JsonValue | undefined {
  if (node.default !== undefined) return node.default;
  if (nesting > MAX_NESTING) return undefined;
  switch (node.kind) {
    case "const":
      return node.value;
    case "text":
      return node.mayBeEmpty ? "" : undefined;
    case "object":
      return initialObject(doc, node, nesting);
    case "list":
      return initialList(doc, node, nesting);
    case "tuple":
      return node.items.map((item) => rowValue(doc, item, nesting + 1));
    case "variant": {
      const [first] = node.variants;
      return first === undefined ? undefined : initialVariant(doc, first.schema, nesting + 1);
    }
    default:
      return undefined;
  }
}

/**
 * The value of a branch just picked. Members that it fixes are what tells it
 * from the other branches, so they are set even where the author did not
 * require them.
 */
export function initialVariant(doc: SchemaDoc, schema: JsonValue, nesting = 0): JsonValue | undefined {
  const value = initialValue(doc, schema, nesting);
  const node = describe(doc, schema);
  if (node.kind !== "object" || !isObject(value)) return value;
  const marks = node.properties.flatMap((property) => {
    const member = describe(doc, property.schema);
    return member.kind === "const" && !value.has(property.key) ? [[property.key, member.value] as const] : [];
  });
  return marks.length === 0 ? value : new JsonObject([...marks, ...value.entries]);
}

function initialObject(doc: SchemaDoc, node: ObjectNode, nesting: number): JsonObject {
  const entries: [string, JsonValue][] = [];
  for (const { key, schema, required } of node.properties) {
    const value = required ? initialValue(doc, schema, nesting + 1) : optionalDefault(doc, schema);
    if (value !== undefined) entries.push([key, value]);
  }
  return new JsonObject(entries);
}

/** A default of null says no more than leaving the field out, so that is what happens. */
function optionalDefault(doc: SchemaDoc, schema: JsonValue): JsonValue | undefined {
  return describe(doc, schema).default ?? undefined;
}

function initialList(doc: SchemaDoc, node: ListNode, nesting: number): JsonValue {
  const rows = Math.min(node.minItems, MAX_ROWS);
  return Array.from({ length: rows }, () => rowValue(doc, node.items, nesting + 1));
}

/**
 * The value of a new row, or of an entry that must hold something. A number
 * not typed yet is the empty text, as any unfinished number is its typed text;
 * a choice not made yet is null. The fields show both as unfinished.
 */
export function rowValue(doc: SchemaDoc, schema: JsonValue, nesting = 0): JsonValue {
  const value = initialValue(doc, schema, nesting);
  if (value !== undefined) return value;
  const { kind } = describe(doc, schema);
  return kind === "number" || kind === "text" ? "" : null;
}
