import { MantineProvider } from "@mantine/core";
import { cleanup, render } from "@testing-library/react";
import { describe as group, expect, it } from "vitest";
import { isArray, isObject, JsonNumber, JsonObject, type JsonValue } from "../../utils/json";
import { parseJson } from "../../utils/jsonparse";
import { writeJson } from "../../utils/jsonwrite";
import { describe } from "./describe";
import { SchemaDoc } from "./doc";
import { initialRoot, rowValue } from "./initial";
import { fit } from "./match";
import { planForm } from "./plan";
import { SchemaForm } from "./SchemaForm";
import { FormStore } from "./store";

function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const KEYWORDS = [
  "type", "properties", "items", "prefixItems", "additionalProperties", "patternProperties", "required", "enum", "const", "default", "anyOf", "oneOf",
  "allOf", "$ref", "$defs", "$id", "$anchor", "minimum", "minItems", "minLength", "title", "description", "format", "if", "not", "uniqueItems", "enumNames",
];
const WORDS = ["string", "integer", "null", "object", "array", "#", "#/$defs/a", "#/properties/a", "a", "b", "x/y", "date-time", "urn:x", "\u202e", ""];

/** Any JSON at all, leaning towards what schemas are made of. */
function junk(random: (below: number) => number, depth: number): JsonValue {
  const kind = random(depth > 0 ? 10 : 6);
  const word = () => WORDS[random(WORDS.length)] ?? "";
  if (kind === 0) return random(2) === 0;
  if (kind === 1) return new JsonNumber(["0", "3", "-1.50", "1e9", "9007199254740993"][random(5)] ?? "0");
  if (kind === 2) return null;
  if (kind < 6) return word();
  if (kind === 6) return Array.from({ length: random(4) }, () => junk(random, depth - 1));
  let out = JsonObject.empty;
  for (let i = random(5); i > 0; i--) out = out.with(random(5) === 0 ? word() : (KEYWORDS[random(KEYWORDS.length)] ?? "type"), junk(random, depth - 1));
  return out;
}

function walk(doc: SchemaDoc, schema: JsonValue, value: JsonValue, depth: number): void {
  const node = describe(doc, schema);
  fit(doc, schema, value);
  rowValue(doc, schema);
  if (depth === 0) return;
  const inner: JsonValue[] = [];
  if (node.kind === "object") inner.push(...node.properties.map((property) => property.schema), node.extra);
  if (node.kind === "list") inner.push(node.items);
  if (node.kind === "tuple") inner.push(...node.items, node.rest);
  if (node.kind === "variant") inner.push(...node.variants.map((variant) => variant.schema));
  for (const one of inner.slice(0, 6)) walk(doc, one, value, depth - 1);
}

group("schemas of any make", () => {
  it("are described, filled and matched without a throw, and in bounds", () => {
    const random = generator(42);
    for (let i = 0; i < 3_000; i++) {
      const schema = junk(random, 5);
      const doc = new SchemaDoc(schema);
      const start = writeJson(initialRoot(doc));
      expect(start.length).toBeLessThan(200_000);
      expect(parseJson(start).ok).toBe(true);
      walk(doc, schema, junk(random, 3), 4);
      planForm(writeJson(schema));
    }
  });

  it("never change a value that nobody touched", () => {
    const random = generator(7);
    for (let i = 0; i < 120; i++) {
      const properties = new JsonObject(["a", "b", "c"].map((key) => [key, junk(random, 3)] as const));
      const schema = writeJson(JsonObject.of({ type: "object", properties, $defs: JsonObject.of({ a: junk(random, 2) }) }));
      const members = new JsonObject(["a", "b", "x/y"].map((key) => [key, junk(random, 3)] as const));
      const text = writeJson(members, random(2) === 0 ? 0 : 3);
      const texts = new Set<string>();
      render(
        <MantineProvider env="test">
          <SchemaForm schemaText={schema} valueText={text} errors={[]} idPrefix="r" onChange={(next) => texts.add(next)} />
        </MantineProvider>,
      );
      expect([...texts]).toEqual([text]);
      cleanup();
    }
  });
});

group("edits of any kind", () => {
  it("touch their own place only, and keep the rest to the letter", () => {
    const random = generator(99);
    for (let i = 0; i < 500; i++) {
      const root = new JsonObject(["a", "b", "c"].map((key) => [key, junk(random, 3)] as const));
      const store = new FormStore();
      store.read(writeJson(root));
      const added = junk(random, 2);
      store.update("/b", added);
      store.update("/new", added);
      const value = store.value;
      if (!isObject(value)) throw new Error("is no object");
      for (const key of ["a", "c"]) expect(writeJson(value.get(key) ?? null)).toBe(writeJson(root.get(key) ?? null));
      expect(writeJson(value.get("b") ?? null)).toBe(writeJson(added));
      store.update("/new", undefined);
      expect(isObject(store.value) && store.value.keys()).toEqual(["a", "b", "c"]);
    }
  });

  it("rows moved and removed take what is remembered of them along", () => {
    const random = generator(5);
    for (let i = 0; i < 200; i++) {
      const store = new FormStore();
      let names = Array.from({ length: 5 }, (_, at) => `row ${at}`);
      store.read(writeJson(JsonObject.of({ list: names })));
      const ids = new Map(names.map((name, at) => [name, store.rows("/list", 5)[at]]));
      names.forEach((name, at) => store.remember(`open:/list/${at}/x`, name));
      for (let step = 0; step < 6 && names.length > 0; step++) {
        const order = names.map((_, at) => at);
        if (random(3) === 0) order.splice(random(order.length), 1);
        else order.sort(() => random(3) - 1);
        store.rearrange("/list", order);
        names = order.map((from) => names[from] ?? "");
      }
      const list = isObject(store.value) ? store.value.get("list") : undefined;
      expect(isArray(list) && list).toEqual(names);
      expect(names.map((_, at) => store.recall(`open:/list/${at}/x`))).toEqual(names);
      expect(store.rows("/list", names.length)).toEqual(names.map((name) => ids.get(name)));
      expect(store.recall(`open:/list/${names.length}/x`)).toBeUndefined();
    }
  });
});
