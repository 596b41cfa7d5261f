import { asString, isArray, isObject, JsonObject, type JsonValue, typeOf } from "../../utils/json";
import { previewJson } from "../../utils/jsonwrite";
import type { SchemaDoc } from "./doc";
import { hintsOf, size } from "./hints";
import { merged, typeList } from "./merge";
import type { Choice, FieldNode, Property, Variant } from "./node";

/** Keywords that say nothing about which values are allowed. */
const SILENT = new Set([
  "$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary", "$comment", "$defs", "definitions",
  "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly",
]);
const RULES = ["if", "then", "else", "not", "dependentRequired", "dependentSchemas", "dependencies", "propertyNames"];
/** A choice of one is described as that one; a chain of such longer than this is a circle. */
const MAX_DESCRIBING = 32;
const LONG_FROM = 200;
const LONG_KEY = /(?:^|[_\W])(?:text|body|content|contents|markdown|html|query|sql|code|script|prompt|message|notes?|diff|patch)$/i;

type Base = Omit<Extract<FieldNode, { kind: "never" }>, "kind">;

/** How a schema is drawn. `key` is the name the field goes by, a hint for its looks only. */
export function describe(doc: SchemaDoc, schema: JsonValue, key = ""): FieldNode {
  if (!isObject(schema)) return build(doc, schema, key);
  const known = doc.caches.nodes.get(schema) as FieldNode | undefined;
  if (known !== undefined) return known;
  if (doc.describing > MAX_DESCRIBING) return { ...base(schema), kind: "any", reason: "Its choices lead back to themselves." };
  doc.describing++;
  const node = build(doc, schema, key);
  doc.describing--;
  doc.caches.nodes.set(schema, node);
  return node;
}

function build(doc: SchemaDoc, schema: JsonValue, key: string): FieldNode {
  const whole = merged(doc, schema);
  if (!whole.ok) return { ...base(whole.schema ?? JsonObject.empty), kind: "any", reason: whole.reason };
  if (whole.schema === true) return { ...base(JsonObject.empty), kind: "any", reason: "" };
  if (whole.schema === false) return { ...base(JsonObject.empty), kind: "never" };
  return shape(doc, whole.schema, key);
}

function base(schema: JsonObject): Base {
  return {
    title: asString(schema.get("title")) ?? "",
    description: asString(schema.get("description")) ?? "",
    hints: hintsOf(schema),
    nullable: false,
    default: schema.get("default"),
  };
}

function shape(doc: SchemaDoc, schema: JsonObject, key: string): FieldNode {
  const constant = schema.get("const");
  if (constant !== undefined) return { ...base(schema), kind: "const", value: constant };
  const values = schema.get("enum");
  if (isArray(values)) return { ...base(schema), kind: "choice", choices: listedChoices(values, schema.get("enumNames")) };
  const branches = schema.get("oneOf") ?? schema.get("anyOf");
  if (isArray(branches)) return choiceOrVariant(doc, schema, branches, key);
  const types = typesOf(schema);
  if (types.includes("null") && types.length > 1) {
    const others = types.filter((type) => type !== "null");
    return { ...ofTypes(schema, others, key), nullable: true };
  }
  return ofTypes(schema, types, key);
}

function typesOf(schema: JsonObject): string[] {
  const types = [...new Set(typeList(schema.get("type")))];
  const declared = types.includes("number") ? types.filter((type) => type !== "integer") : types;
  if (declared.length > 0) return declared;
  const has = (...names: string[]) => names.some((name) => schema.has(name));
  if (has("properties", "required", "additionalProperties", "patternProperties", "minProperties")) return ["object"];
  if (has("items", "prefixItems", "minItems", "uniqueItems")) return ["array"];
  return [];
}

function ofTypes(schema: JsonObject, types: readonly string[], key: string): FieldNode {
  const [only, second] = types;
  if (second !== undefined) {
    const variants = types.map((type): Variant => ({ label: typeLabel(type), schema: schema.with("type", type).without("default") }));
    return { ...base(schema), hints: [], kind: "variant", variants };
  }
  switch (only) {
    case "string":
      return text(schema, key);
    case "integer":
    case "number":
      return { ...base(schema), kind: "number", integer: only === "integer" };
    case "boolean":
      return { ...base(schema), kind: "boolean" };
    case "null":
      return { ...base(schema), kind: "const", value: null };
    case "array":
      return array(schema);
    case "object":
      return object(schema);
    case undefined:
      return { ...base(schema), kind: "any", reason: undrawn(schema) };
    default:
      return { ...base(schema), kind: "any", reason: `It asks for the type ${only}, which JSON Schema does not know.` };
  }
}

function undrawn(schema: JsonObject): string {
  const rules = schema.keys().filter((keyword) => !SILENT.has(keyword));
  return rules.length === 0 ? "" : "It names no type.";
}

function text(schema: JsonObject, key: string): FieldNode {
  const format = asString(schema.get("format")) ?? "";
  const plain = format === "" && !schema.has("pattern") && !schema.has("contentEncoding");
  return {
    ...base(schema),
    kind: "text",
    format,
    long: format === "textarea" || schema.has("contentMediaType") || size(schema, "maxLength", 0) >= LONG_FROM || (plain && LONG_KEY.test(key)),
    mayBeEmpty: plain && size(schema, "minLength", 0) === 0,
  };
}

function array(schema: JsonObject): FieldNode {
  const items = schema.get("items");
  const prefix = schema.get("prefixItems") ?? (isArray(items) ? items : undefined);
  const minItems = size(schema, "minItems", 0);
  if (isArray(prefix)) {
    const rest = (isArray(items) ? schema.get("additionalItems") : items) ?? true;
    return { ...base(schema), kind: "tuple", items: prefix, rest, minItems };
  }
  return {
    ...base(schema),
    kind: "list",
    items: items ?? true,
    minItems,
    maxItems: size(schema, "maxItems", Infinity),
    unique: schema.get("uniqueItems") === true,
  };
}

function object(schema: JsonObject): FieldNode {
  const declared = schema.get("properties");
  const names = schema.get("required");
  const required = new Set(isArray(names) ? names.filter((name) => typeof name === "string") : []);
  const properties: Property[] = isObject(declared)
    ? declared.entries.map(([key, value]) => ({ key, schema: value, required: required.has(key) }))
    : [];
  const known = new Set(properties.map((property) => property.key));
  const extra = extraOf(schema);
  for (const key of required) {
    if (!known.has(key)) properties.push({ key, schema: extra === false ? true : extra, required: true });
  }
  const open = schema.has("additionalProperties") || schema.has("patternProperties") || properties.length === 0;
  return { ...base(schema), kind: "object", properties, extra, open: open && extra !== false, ruled: RULES.some((rule) => schema.has(rule)) };
}

/** The schema of undeclared members. Patterns of names are the server's regular expressions and are not run here. */
function extraOf(schema: JsonObject): JsonValue {
  const additional = schema.get("additionalProperties") ?? schema.get("unevaluatedProperties") ?? true;
  const patterns = schema.get("patternProperties");
  if (!isObject(patterns) || patterns.size === 0) return additional;
  const [only] = patterns.entries;
  return additional === false && patterns.size === 1 && only !== undefined ? only[1] : true;
}

function listedChoices(values: readonly JsonValue[], names: JsonValue | undefined): Choice[] {
  const kinds = new Set(values.map((value) => (value === null ? "" : typeOf(value))));
  kinds.delete("");
  return values.map((value, at) => {
    const name = isArray(names) ? asString(names[at]) : undefined;
    return choice(value, name, kinds.size > 1);
  });
}

function choice(value: JsonValue, title: string | undefined, mixed: boolean): Choice {
  const plain = typeof value === "string" && value !== "" && !mixed ? value : previewJson(value, 120);
  if (title === undefined || title === "" || title === plain) return { value, label: plain, detail: "" };
  return { value, label: title, detail: plain };
}

function choiceOrVariant(doc: SchemaDoc, schema: JsonObject, branches: readonly JsonValue[], key: string): FieldNode {
  if (schema.has("oneOf") && schema.has("anyOf")) {
    return { ...base(schema), kind: "any", reason: "It combines several choices that cannot be drawn as one." };
  }
  const outer = schema.without("oneOf").without("anyOf");
  const parts = branches.map((branch) => merged(doc, branch));
  const titled = titledChoices(parts.map((part) => (part.ok && isObject(part.schema) ? part.schema : undefined)));
  if (titled !== undefined) return { ...base(schema), kind: "choice", choices: titled };
  const drawable = branches.filter((_, at) => !isNullOnly(parts[at]?.ok === true ? parts[at].schema : undefined));
  const nullable = drawable.length < branches.length;
  const [only] = drawable;
  if (only !== undefined && drawable.length === 1) {
    return withNull(describe(doc, withinOuter(outer, only), key), nullable, outer.has("default") ? outer.get("default") : defaultOf(doc, only));
  }
  const variants = drawable.map((branch, at): Variant => ({ label: variantLabel(doc, branch, at), schema: withinOuter(outer, branch) }));
  return { ...base(outer), hints: [], kind: "variant", variants: distinct(variants), nullable };
}

function withNull(node: FieldNode, nullable: boolean, byDefault: JsonValue | undefined): FieldNode {
  if (!nullable || node.kind !== "choice") return { ...node, nullable, default: byDefault };
  const listed = node.choices.some((one) => one.value === null);
  return { ...node, default: byDefault, choices: listed ? node.choices : [...node.choices, choice(null, undefined, false)] };
}

function defaultOf(doc: SchemaDoc, schema: JsonValue): JsonValue | undefined {
  const whole = merged(doc, schema);
  return whole.ok && isObject(whole.schema) ? whole.schema.get("default") : undefined;
}

function withinOuter(outer: JsonObject, branch: JsonValue): JsonObject {
  const silent = outer.entries.every(([key]) => SILENT.has(key));
  if (silent && isObject(branch)) {
    const title = outer.get("title");
    const description = outer.get("description");
    const notes = JsonObject.of({ ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) });
    return notes.size === 0 ? branch : new JsonObject([...notes.entries, ["allOf", [branch]]]);
  }
  return new JsonObject([...outer.without("default").entries.filter(([key]) => key !== "allOf"), ["allOf", [branch]]]);
}

function titledChoices(branches: readonly (JsonObject | undefined)[]): Choice[] | undefined {
  const found: Choice[] = [];
  for (const branch of branches) {
    const constant = branch?.get("const");
    const values = branch?.get("enum");
    if (branch !== undefined && constant !== undefined) {
      found.push(choice(constant, asString(branch.get("title")) ?? asString(branch.get("description")), false));
    } else if (isArray(values)) found.push(...listedChoices(values, undefined));
    else if (branch?.get("type") === "null" && found.length > 0) found.push(choice(null, undefined, false));
    else return undefined;
  }
  return found.length === 0 ? undefined : found;
}

function isNullOnly(schema: JsonObject | boolean | undefined): boolean {
  if (!isObject(schema)) return false;
  const values = schema.get("enum");
  return schema.get("type") === "null" || schema.get("const") === null || (isArray(values) && values.every((value) => value === null));
}

const TYPE_LABELS: Record<string, string> = {
  string: "Text", number: "Number", integer: "Whole number", boolean: "Yes or no", object: "Fields", array: "List", null: "Null",
};

const PLURALS: Record<string, string> = {
  string: "texts", number: "numbers", integer: "whole numbers", boolean: "yes or no", object: "entries", array: "lists", null: "nulls",
};

function typeLabel(type: string): string {
  return TYPE_LABELS[type] ?? type;
}

function variantLabel(doc: SchemaDoc, branch: JsonValue, at: number): string {
  const whole = merged(doc, branch);
  const schema = whole.ok && isObject(whole.schema) ? whole.schema : undefined;
  const title = asString(schema?.get("title"));
  if (title !== undefined && title !== "") return title;
  if (schema !== undefined) {
    const marked = discriminator(doc, schema);
    if (marked !== undefined) return marked;
  }
  const reference = isObject(branch) ? asString(branch.get("$ref")) : undefined;
  const name = reference?.split(/[/#]/).at(-1);
  if (name !== undefined && name !== "") return name;
  const required = schema?.get("required");
  if (isArray(required) && required.length > 0) return `With ${required.filter((key) => typeof key === "string").join(", ")}`;
  const types = schema === undefined ? [] : typesOf(schema);
  if (types[0] === "array" && isObject(schema?.get("items"))) {
    const inner = merged(doc, schema?.get("items") ?? true);
    const [type] = inner.ok && isObject(inner.schema) ? typesOf(inner.schema) : [];
    if (type !== undefined) return `List of ${PLURALS[type] ?? type}`;
  }
  return types.length > 0 ? types.map(typeLabel).join(" or ") : `Choice ${at + 1}`;
}

/** "circle" for a branch whose property `kind` is fixed to "circle". */
function discriminator(doc: SchemaDoc, schema: JsonObject): string | undefined {
  const properties = schema.get("properties");
  if (!isObject(properties)) return undefined;
  for (const [, property] of properties.entries) {
    const whole = merged(doc, property);
    if (!whole.ok || !isObject(whole.schema)) continue;
    const values = whole.schema.get("enum");
    const fixed = whole.schema.get("const") ?? (isArray(values) && values.length === 1 ? values[0] : undefined);
    if (typeof fixed === "string" && fixed !== "") return fixed;
  }
  return undefined;
}

function distinct(variants: readonly Variant[]): Variant[] {
  const seen = new Map<string, number>();
  return variants.map((variant) => {
    const count = (seen.get(variant.label) ?? 0) + 1;
    seen.set(variant.label, count);
    return count === 1 ? variant : { ...variant, label: `${variant.label} (${count})` };
  });
}
