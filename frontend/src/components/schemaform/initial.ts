import { isObject, JsonObject, type JsonValue } from "../../utils/json";
import { describe } from "./describe";
import type { SchemaDoc } from "./doc";
import type { FieldNode, ListNode, ObjectNode } from "./node";

/** More rows than this are not made beforehand, whatever `minItems` says. */
const MAX_ROWS = 50;
const MAX_NESTING = 24;
/** Values made beforehand in all; a schema that asks for more starts with what fits. */
const MAX_VALUES = 5_000;

/** What is left to be made, and which schemas are being filled around the present one. */
interface Making {
  left: number;
  around: readonly JsonValue[];
}

const fresh = (): Making => ({ left: MAX_VALUES, around: [] });

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
export function initialValue(doc: SchemaDoc, schema: JsonValue): JsonValue | undefined {
  return make(doc, schema, fresh());
}

/**
 * The value of a branch just picked. Members that it fixes are what tells it
 * from the other branches, so they are set even where the author did not
 * require them.
 */
export function initialVariant(doc: SchemaDoc, schema: JsonValue): JsonValue | undefined {
  return makeVariant(doc, schema, fresh());
}

/**
 * The value of a new row, or of an entry that must hold something. A number
 * not typed yet is the empty text, as any unfinished number is its typed text;
 * a choice not made yet is null. The fields show both as unfinished.
 */
export function rowValue(doc: SchemaDoc, schema: JsonValue): JsonValue {
  return makeRow(doc, schema, fresh());
}

function make(doc: SchemaDoc, schema: JsonValue, making: Making): JsonValue | undefined {
  const node = describe(doc, schema);
  if (node.default !== undefined) return node.default;
  // A type that requires itself has no smallest value; it is filled in level by level.
  if (making.around.length > MAX_NESTING || making.around.includes(schema)) return undefined;
  if (making.left-- <= 0) return undefined;
  const around = making.around;
  making.around = [...around, schema];
  const value = makeNode(doc, node, making);
  making.around = around;
  return value;
}

function makeNode(doc: SchemaDoc, node: FieldNode, making: Making): JsonValue | undefined {
  switch (node.kind) {
    case "const":
      return node.value;
    case "text":
      return node.mayBeEmpty ? "" : undefined;
    case "object":
      return makeObject(doc, node, making);
    case "list":
      return makeList(doc, node, making);
    case "tuple":
      return node.items.map((item) => makeRow(doc, item, making));
    case "variant": {
      const [first] = node.variants;
      return first === undefined ? undefined : makeVariant(doc, first.schema, making);
    }
    default:
      return undefined;
  }
}

function makeVariant(doc: SchemaDoc, schema: JsonValue, making: Making): JsonValue | undefined {
  const value = make(doc, schema, making);
  const node = describe(doc, schema);
  if (node.kind !== "object" || !isObject(value)) return value;
  const marks = node.properties.flatMap((property) => {
    const member = describe(doc, property.schema);
    return member.kind === "const" && !value.has(property.key) ? [[property.key, member.value] as const] : [];
  });
  return marks.length === 0 ? value : new JsonObject([...marks, ...value.entries]);
}

function makeObject(doc: SchemaDoc, node: ObjectNode, making: Making): JsonObject {
  const entries: [string, JsonValue][] = [];
  for (const { key, schema, required } of node.properties) {
    const value = required ? make(doc, schema, making) : optionalDefault(doc, schema);
    if (value !== undefined) entries.push([key, value]);
  }
  return new JsonObject(entries);
}

/** A default of null says no more than leaving the field out, so that is what happens. */
function optionalDefault(doc: SchemaDoc, schema: JsonValue): JsonValue | undefined {
  return describe(doc, schema).default ?? undefined;
}

function makeList(doc: SchemaDoc, node: ListNode, making: Making): JsonValue {
  const rows = Math.min(node.minItems, MAX_ROWS);
  return Array.from({ length: rows }, () => makeRow(doc, node.items, making));
}

function makeRow(doc: SchemaDoc, schema: JsonValue, making: Making): JsonValue {
  const value = make(doc, schema, making);
  if (value !== undefined) return value;
  const { kind } = describe(doc, schema);
  return kind === "number" || kind === "text" ? "" : null;
}
