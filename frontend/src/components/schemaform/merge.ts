import { asString, isArray, isNumber, isObject, JsonObject, type JsonValue } from "../../utils/json";
import { sameJson } from "../../utils/jsonequal";
import type { SchemaDoc } from "./doc";

/** A schema with its references followed and its `allOf` merged, or why that cannot be done. */
export type Merged = { ok: true; schema: JsonObject | boolean } | { ok: false; reason: string; schema: JsonObject | undefined };

const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"] as const;
const NOTES = new Set(["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"]);
const MAX_CHAIN = 64;

/** Follows references and merges `allOf` of one schema, not of those inside it. */
export function merged(doc: SchemaDoc, schema: JsonValue): Merged {
  if (!isObject(schema)) return resolve(doc, schema, []);
  const known = doc.caches.merged.get(schema) as Merged | undefined;
  if (known !== undefined) return known;
  const result = resolve(doc, schema, []);
  doc.caches.merged.set(schema, result);
  return result;
}

function resolve(doc: SchemaDoc, schema: JsonValue, chain: readonly JsonValue[]): Merged {
  if (typeof schema === "boolean") return { ok: true, schema };
  if (!isObject(schema)) return { ok: false, reason: "Its schema is neither an object nor true or false.", schema: undefined };
  if (chain.includes(schema)) return { ok: false, reason: "Its reference leads back to itself.", schema };
  const known = doc.caches.merged.get(schema) as Merged | undefined;
  if (known?.ok === true) return known;
  if (chain.length > MAX_CHAIN) return { ok: false, reason: "Its references lead too far.", schema };
  const path = [...chain, schema];
  let rest = schema;
  const parts: JsonValue[] = [];
  for (const keyword of REFERENCES) {
    const reference = asString(schema.get(keyword));
    if (reference === undefined) continue;
    const found = doc.find(reference, schema);
    if (!found.ok) return { ok: false, reason: found.reason, schema };
    rest = rest.without(keyword);
    parts.push(found.schema);
  }
  if (parts.length > 0 && ignoresSiblings(doc)) {
    rest = new JsonObject(rest.entries.filter(([key]) => NOTES.has(key)));
  }
  const all = rest.get("allOf");
  if (isArray(all)) {
    parts.push(...all);
    rest = rest.without("allOf");
  }
  let whole: JsonObject | boolean = rest;
  for (const part of parts) {
    const inner = resolve(doc, part, path);
    if (!inner.ok) return { ok: false, reason: inner.reason, schema };
    const both = combine(whole, inner.schema);
    if (typeof both === "string") return { ok: false, reason: both, schema };
    whole = both;
  }
  const result: Merged = { ok: true, schema: whole };
  // Parts shared by many others are merged once, however the schema combines them.
  doc.caches.merged.set(schema, result);
  return result;
}

function ignoresSiblings(doc: SchemaDoc): boolean {
  const dialect = isObject(doc.root) ? asString(doc.root.get("$schema")) : undefined;
  return dialect !== undefined && /draft-0[3467]/.test(dialect);
}

/** Both schemas as one; a text when they cannot be drawn as one. Notes of the first win. */
export function combine(a: JsonObject | boolean, b: JsonObject | boolean): JsonObject | boolean | string {
  if (a === false || b === false) return false;
  if (a === true) return b;
  if (b === true) return a;
  let out = a;
  for (const [key, value] of b.entries) {
    const mine = a.get(key);
    const both = mine === undefined ? value : combineKeyword(key, mine, value);
    if (typeof both === "object" && both !== null && "reason" in both) return both.reason;
    out = out.with(key, both);
  }
  return out;
}

function combineKeyword(key: string, a: JsonValue, b: JsonValue): JsonValue | { reason: string } {
  switch (key) {
    case "type":
      return combineTypes(a, b);
    case "properties":
    case "patternProperties":
      return combineProperties(a, b);
    case "required":
      return isArray(a) && isArray(b) ? [...a, ...b.filter((name) => !a.includes(name))] : a;
    case "enum":
      return isArray(a) && isArray(b) ? a.filter((x) => b.some((y) => sameJson(x, y))) : a;
    case "items":
    case "additionalProperties":
    case "additionalItems":
    case "contains":
      return a === false || b === false ? false : all(a, b);
    case "const":
      return sameJson(a, b) ? a : { reason: "It asks for two different fixed values at once." };
    case "anyOf":
    case "oneOf":
    case "prefixItems":
      return sameJson(a, b) ? a : { reason: "It combines several choices that cannot be drawn as one." };
    default:
      return combineLimit(key, a, b);
  }
}

function combineLimit(key: string, a: JsonValue, b: JsonValue): JsonValue {
  if (!isNumber(a) || !isNumber(b)) return a;
  if (/^(minimum|exclusiveMinimum|minLength|minItems|minProperties)$/.test(key)) return Number(a.text) >= Number(b.text) ? a : b;
  if (/^(maximum|exclusiveMaximum|maxLength|maxItems|maxProperties)$/.test(key)) return Number(a.text) <= Number(b.text) ? a : b;
  return a;
}

function combineTypes(a: JsonValue, b: JsonValue): JsonValue | { reason: string } {
  const mine = typeList(a);
  const theirs = typeList(b);
  const common = mine.flatMap((type) => {
    if (theirs.includes(type)) return [type];
    if (type === "integer" && theirs.includes("number")) return ["integer"];
    return type === "number" && theirs.includes("integer") ? ["integer"] : [];
  });
  const [only] = common;
  if (only === undefined) return { reason: "It asks for two different types at once." };
  return common.length === 1 ? only : common;
}

function combineProperties(a: JsonValue, b: JsonValue): JsonValue {
  if (!isObject(a) || !isObject(b)) return a;
  let out = a;
  for (const [name, schema] of b.entries) {
    const mine = out.get(name);
    out = out.with(name, mine === undefined ? schema : all(mine, schema));
  }
  return out;
}

function all(a: JsonValue, b: JsonValue): JsonValue {
  if (a === true || a === b) return b;
  if (b === true) return a;
  return JsonObject.of({ allOf: [a, b] });
}

/** The names in a `type` keyword, which may be one name or a list. */
export function typeList(type: JsonValue | undefined): string[] {
  if (typeof type === "string") return [type];
  return isArray(type) ? type.filter((name): name is string => typeof name === "string") : [];
}
