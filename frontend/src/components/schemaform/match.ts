import { isArray, isNumber, isObject, type JsonValue } from "../../utils/json";
import { sameJson } from "../../utils/jsonequal";
import { isWhole } from "../../utils/jsonnumber";
import { describe } from "./describe";
import type { SchemaDoc } from "./doc";
import type { FieldNode, ObjectNode, VariantNode } from "./node";

const MAX_NESTING = 4;
const MAX_ITEMS = 20;
/** Comparisons made for one question; past them everything seems to fit a little. */
const MAX_STEPS = 20_000;

/** Whether a field of this kind can show the value; unfinished numbers and unmade choices included. */
export function canShow(node: FieldNode, value: JsonValue): boolean {
  if (value === null) return node.nullable || ["boolean", "choice", "any", "variant"].includes(node.kind) || holdsNull(node);
  switch (node.kind) {
    case "text":
      // A text box turns carriage returns into line feeds and drops NUL, so such text is edited as JSON.
      return typeof value === "string" && !/[\r\u0000]/.test(value);
    case "number":
      return isNumber(value) || typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "choice":
      return node.choices.some((choice) => sameJson(choice.value, value));
    case "const":
      return sameJson(node.value, value);
    case "object":
      return isObject(value);
    case "list":
    case "tuple":
      return isArray(value);
    case "variant":
    case "any":
      return true;
    case "never":
      return false;
  }
}

/**
 * How well a value fits a schema, by shape: 0 when it contradicts it, else more
 * the more of its members are declared. Serves to pick the variant that a value
 * was made for; the validator has the last word.
 */
export function fit(doc: SchemaDoc, schema: JsonValue, value: JsonValue, nesting = 0, steps = { left: MAX_STEPS }): number {
  if (steps.left-- <= 0) return 0.1;
  const node = describe(doc, schema);
  if (value === null) return node.nullable || node.kind === "any" || holdsNull(node) ? 1 : 0;
  if (node.kind === "number") return isNumber(value) && (!node.integer || isWhole(value.text)) ? 2 : 0;
  if (node.kind === "text") return typeof value === "string" ? 2 : 0;
  if (node.kind === "any") return 1;
  if (node.kind === "variant") {
    if (nesting >= MAX_NESTING) return 1;
    return node.variants.reduce((best, variant) => Math.max(best, fit(doc, variant.schema, value, nesting + 1, steps)), 0);
  }
  if (!canShow(node, value)) return 0;
  if (nesting >= MAX_NESTING) return 1;
  if (node.kind === "object" && isObject(value)) return fitObject(doc, node, value, nesting, steps);
  if (node.kind === "list" && isArray(value)) {
    return value.slice(0, MAX_ITEMS).every((item) => fit(doc, node.items, item, nesting + 1, steps) > 0) ? 2 : 0;
  }
  return node.kind === "const" ? 3 : 2;
}

function holdsNull(node: FieldNode): boolean {
  return (node.kind === "const" && node.value === null) || (node.kind === "choice" && node.choices.some((choice) => choice.value === null));
}

function fitObject(doc: SchemaDoc, node: ObjectNode, value: JsonValue, nesting: number, steps: { left: number }): number {
  if (!isObject(value)) return 0;
  let score = 1;
  let missing = 0;
  for (const { key, schema, required } of node.properties) {
    const member = value.get(key);
    if (member === undefined) {
      if (required) missing++;
      continue;
    }
    const inner = fit(doc, schema, member, nesting + 1, steps);
    if (inner === 0) return 0;
    score += inner;
  }
  const declared = new Set(node.properties.map((property) => property.key));
  if (node.extra === false && value.keys().some((key) => !declared.has(key))) return 0;
  // What is missing can still be filled in; it only makes the fit worse.
  return missing === 0 ? score : Math.max(0.1, score - missing - 0.5);
}

/** The variant that fits a value best; the first of equals, and the first when none fits. */
export function bestVariant(doc: SchemaDoc, node: VariantNode, value: JsonValue): number {
  if (isObject(value) && value.size === 0) return 0;
  let best = 0;
  let score = 0;
  node.variants.forEach((variant, at) => {
    const found = fit(doc, variant.schema, value);
    if (found > score) {
      best = at;
      score = found;
    }
  });
  return best;
}
