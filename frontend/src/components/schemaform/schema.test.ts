import { describe as group, expect, it } from "vitest";
import type { JsonValue } from "../../utils/json";
import { parseJson } from "../../utils/jsonparse";
import { writeJson } from "../../utils/jsonwrite";
import { describe } from "./describe";
import { SchemaDoc } from "./doc";
import { initialRoot, rowValue } from "./initial";
import { bestVariant, fit } from "./match";
import type { FieldNode, ObjectNode } from "./node";

function read(text: string): JsonValue {
  const result = parseJson(text);
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

function open(schema: string): { doc: SchemaDoc; root: FieldNode } {
  const doc = new SchemaDoc(read(schema));
  return { doc, root: describe(doc, doc.root) };
}

function as<K extends FieldNode["kind"]>(node: FieldNode, kind: K): Extract<FieldNode, { kind: K }> {
  if (node.kind !== kind) throw new Error(`is drawn as ${node.kind}, not ${kind}`);
  return node as Extract<FieldNode, { kind: K }>;
}

function field(doc: SchemaDoc, node: FieldNode, key: string): FieldNode {
  const property = as(node, "object").properties.find((one) => one.key === key);
  if (property === undefined) throw new Error(`there is no ${key}`);
  return describe(doc, property.schema, key);
}

function initial(schema: string): string {
  return writeJson(initialRoot(open(schema).doc));
}

const values = (node: FieldNode) => as(node, "choice").choices.map((choice) => writeJson(choice.value));
const labels = (node: FieldNode) => as(node, "choice").choices.map((choice) => choice.label);

group("references", () => {
  it("field-1 follows a reference into the schema's own $defs; a dangling one costs that field only", () => {
    const { doc, root } = open(
      '{"type":"object","properties":{"crate":{"$ref":"#/$defs/Crate"},"lost":{"$ref":"#/$defs/Nobody"},"out":{"$ref":"https://other.example.test/x"}},"required":["crate"],"$defs":{"Crate":{"type":"object","properties":{"kg":{"type":"integer"}},"required":["kg"]}}}',
    );
    const crate = as(field(doc, root, "crate"), "object");
    expect(field(doc, crate, "kg").kind).toBe("number");
    expect(as(field(doc, root, "lost"), "any").reason).toMatch(/not in this schema/);
    expect(as(field(doc, root, "out"), "any").reason).toMatch(/not fetched/);
  });

  it("field-3 opens a self-referring tree one level at a time", () => {
    const { doc, root } = open(
      '{"type":"object","properties":{"root":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"label":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/N"}}}}}}',
    );
    let node = field(doc, root, "root");
    for (let level = 0; level < 200; level++) node = describe(doc, as(field(doc, node, "kids"), "list").items);
    expect(as(node, "object").properties.map((property) => property.key)).toEqual(["label", "kids"]);
    expect(writeJson(initialRoot(doc))).toBe("{}");
  });

  it("a type that requires itself without end still starts somewhere", () => {
    expect(initial('{"$ref":"#/$defs/N","$defs":{"N":{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}},"required":["n"]}}}').length).toBeLessThan(2_000);
  });

  it("a circle of references alone is named as such", () => {
    const { doc, root } = open('{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A"}}}');
    expect(as(field(doc, root, "a"), "any").reason).toMatch(/back to itself/);
  });

  it("finds anchors, ids of inner documents, escaped and percent-encoded pointers", () => {
    const { doc, root } = open(
      '{"$id":"https://a.example.test/s","properties":{"a":{"$ref":"#here"},"b":{"$ref":"inner"},"c":{"$ref":"#/$defs/x~1y%20z"},"d":{"$dynamicRef":"#here"}},"$defs":{"h":{"$anchor":"here","type":"boolean"},"i":{"$id":"inner","$ref":"#/$defs/n","$defs":{"n":{"type":"integer"}}},"x/y z":{"type":"string"}}}',
    );
    expect(["a", "b", "c", "d"].map((key) => field(doc, root, key).kind)).toEqual(["boolean", "number", "text", "boolean"]);
  });

  it("a property named $ref, enum or default is a property", () => {
    const { doc, root } = open('{"properties":{"$ref":{"type":"string"},"enum":{"$anchor":"e","type":"integer"},"z":{"$ref":"#e"}}}');
    expect(field(doc, root, "$ref").kind).toBe("text");
    expect(field(doc, root, "z").kind).toBe("number");
  });

  it("notes beside a reference stay; in draft-07 other keywords there do not count", () => {
    const { doc, root } = open(
      '{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#/definitions/A","title":"Mine","enum":[1]}},"definitions":{"A":{"type":"string","title":"Theirs"}}}',
    );
    expect(field(doc, root, "a")).toMatchObject({ kind: "text", title: "Mine" });
  });
});

group("types", () => {
  it("field-5 a list of types keeps the enum, the null choice and the tool", () => {
    const { doc, root } = open(
      '{"type":"object","properties":{"way":{"type":["string","null"],"enum":["north","south",null]},"lot":{"type":["integer","null"]}}}',
    );
    expect(values(field(doc, root, "way"))).toEqual(['"north"', '"south"', "null"]);
    expect(field(doc, root, "lot")).toMatchObject({ kind: "number", integer: true, nullable: true });
    expect(writeJson(initialRoot(doc))).toBe("{}");
  });

  it("field-10 numbers in an enum stay numbers, 0 too", () => {
    const { doc, root } = open('{"type":"object","properties":{"gear":{"type":"integer","enum":[0,2,5]}}}');
    expect(values(field(doc, root, "gear"))).toEqual(["0", "2", "5"]);
  });

  it("field-11 a large enum keeps all its values verbatim", () => {
    const zones = Array.from({ length: 600 }, (_, i) => `"zone-${String(i + 1).padStart(4, "0")}"`);
    const { doc, root } = open(`{"type":"object","properties":{"zone":{"type":"string","enum":[${zones.join(",")}]}}}`);
    expect(values(field(doc, root, "zone"))).toEqual(zones);
  });

  it("field-12 true takes any JSON, false takes nothing", () => {
    const { doc, root } = open('{"type":"object","properties":{"extra":true,"never":false}}');
    expect(field(doc, root, "extra")).toMatchObject({ kind: "any", reason: "" });
    expect(field(doc, root, "never").kind).toBe("never");
  });

  it.each([
    ["with $schema", '"$schema":"http://json-schema.org/draft-07/schema#",', '"items":[{"type":"number"},{"type":"number"}],"additionalItems":false'],
    ["without $schema", "", '"items":[{"type":"number"},{"type":"number"}]'],
    ["as prefixItems", "", '"prefixItems":[{"type":"number"},{"type":"number"}],"items":false'],
  ])("field-15 tuples are drawn by place, %s", (_, dialect, items) => {
    const { doc, root } = open(`{${dialect}"type":"object","properties":{"pair":{"type":"array",${items}}}}`);
    const pair = as(field(doc, root, "pair"), "tuple");
    expect(pair.items.map((item) => describe(doc, item).kind)).toEqual(["number", "number"]);
    expect(pair.rest).toBe(!items.includes("false"));
  });

  it("field-16 a schema for additional properties types the entries of a map", () => {
    const { doc, root } = open('{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"array","items":{"type":"integer"}}}}}');
    const map = as(field(doc, root, "labels"), "object");
    expect(map.open).toBe(true);
    expect(describe(doc, as(describe(doc, map.extra), "list").items)).toMatchObject({ kind: "number", integer: true });
  });

  it("field-22 each type gets its own field, also without type object at the root", () => {
    const { doc, root } = open('{"properties":{"top":{"type":"integer"},"ok":{"type":"boolean"},"w":{"type":"number"}}}');
    expect(["top", "ok", "w"].map((key) => field(doc, root, key).kind)).toEqual(["number", "boolean", "number"]);
  });

  it("titled choices carry values, not titles", () => {
    const { doc, root } = open('{"properties":{"sz":{"type":"string","title":"Size","oneOf":[{"const":"s","title":"Small"},{"const":"l","title":"Large"}],"default":"l"},"n":{"type":"integer","default":3}}}');
    const size = field(doc, root, "sz");
    expect(labels(size)).toEqual(["Small", "Large"]);
    expect(values(size)).toEqual(['"s"', '"l"']);
    expect(writeJson(initialRoot(doc)), "field-131").toBe('{"sz":"l","n":3}');
  });

  it("field-132 enumNames of another length label what they can", () => {
    const { doc, root } = open('{"properties":{"c":{"type":"string","enum":["r","g"],"enumNames":["Red"]}}}');
    expect(labels(field(doc, root, "c"))).toEqual(["Red", "g"]);
    expect(values(field(doc, root, "c"))).toEqual(['"r"', '"g"']);
  });

  it("an enum of mixed types tells \"5\" and 5 apart", () => {
    const { doc, root } = open('{"properties":{"v":{"enum":["5",5,null,"",true,{"a":1}]}}}');
    expect(labels(field(doc, root, "v"))).toEqual(['"5"', "5", "null", '""', "true", '{"a":1}']);
  });

  it("an unknown type or no type degrades to JSON with the reason", () => {
    const { doc, root } = open('{"properties":{"a":{"type":"any"},"b":{"minimum":3},"c":{},"d":7}}');
    expect(as(field(doc, root, "a"), "any").reason).toMatch(/type any/);
    expect(as(field(doc, root, "b"), "any").reason).toMatch(/no type/);
    expect(as(field(doc, root, "c"), "any").reason).toBe("");
    expect(as(field(doc, root, "d"), "any").reason).toMatch(/neither/);
  });
});

group("choices between schemas", () => {
  it("field-7 a root with oneOf has a variant for each branch, merged with the root's own properties", () => {
    const { doc, root } = open(
      '{"type":"object","properties":{"tag":{"type":"string"}},"oneOf":[{"properties":{"mail":{"type":"string"}},"required":["mail"]},{"properties":{"phone":{"type":"string"}},"required":["phone"]}]}',
    );
    const variants = as(root, "variant").variants;
    expect(variants.map((variant) => variant.label)).toEqual(["With mail", "With phone"]);
    const keys = (node: FieldNode) => (node as ObjectNode).properties.map((property) => property.key);
    expect(variants.map((variant) => keys(describe(doc, variant.schema)))).toEqual([["tag", "mail"], ["tag", "phone"]]);
    expect(writeJson(initialRoot(doc))).toBe('{"mail":""}');
    expect(bestVariant(doc, as(root, "variant"), read('{"tag":"x","phone":"1"}'))).toBe(1);
  });

  it("field-28 null as a branch makes the field nullable, and a default of null demands nothing", () => {
    const { doc, root } = open(
      '{"properties":{"a":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}],"default":null},"b":{"type":["string","null"],"default":null}}}',
    );
    expect(field(doc, root, "a")).toMatchObject({ kind: "list", nullable: true, default: null });
    expect(field(doc, root, "b")).toMatchObject({ kind: "text", nullable: true, default: null });
    expect(writeJson(initialRoot(doc))).toBe("{}");
  });

  it("null beside an enum branch is one of its choices", () => {
    const { doc, root } = open('{"properties":{"a":{"anyOf":[{"type":"null"},{"enum":["x","y"]}]},"b":{"anyOf":[{"enum":["x"]},{"type":"null"}]}}}');
    expect(values(field(doc, root, "a"))).toEqual(['"x"', '"y"', "null"]);
    expect(values(field(doc, root, "b"))).toEqual(['"x"', "null"]);
  });

  it("names variants by title, fixed member, reference, required names or type", () => {
    const { doc, root } = open(
      '{"properties":{"v":{"anyOf":[{"title":"One","type":"object"},{"properties":{"kind":{"const":"circle"}}},{"$ref":"#/$defs/Box"},{"type":"string"},{"type":"array","items":{"type":"integer"}},{"type":"string","minLength":3}]}},"$defs":{"Box":{"type":"object"}}}',
    );
    const labelsOf = as(field(doc, root, "v"), "variant").variants.map((variant) => variant.label);
    expect(labelsOf).toEqual(["One", "circle", "Box", "Text", "List of whole numbers", "Text (2)"]);
  });

  it("picks the variant that a value was made for by its fixed member", () => {
    const { doc, root } = open(
      '{"properties":{"s":{"oneOf":[{"properties":{"kind":{"const":"circle"},"r":{"type":"number"}},"required":["kind"]},{"properties":{"kind":{"const":"box"},"w":{"type":"number"}},"required":["kind"]}]}}}',
    );
    const node = as(field(doc, root, "s"), "variant");
    expect(bestVariant(doc, node, read('{"kind":"box","w":1}'))).toBe(1);
    expect(bestVariant(doc, node, read('{"kind":"circle"}'))).toBe(0);
  });

  it("several types at once are variants, integers within numbers", () => {
    const { doc, root } = open('{"properties":{"v":{"type":["string","integer","number","null"]}}}');
    const node = as(field(doc, root, "v"), "variant");
    expect(node.nullable).toBe(true);
    expect(node.variants.map((variant) => variant.label)).toEqual(["Text", "Number"]);
    expect(fit(doc, doc.root, read('{"v":1.5}'))).toBeGreaterThan(0);
  });
});

group("allOf", () => {
  it("merges parts, references too, also of one property named twice", () => {
    const { doc, root } = open(
      '{"allOf":[{"$ref":"#/$defs/A"},{"properties":{"a":{"maxLength":5},"b":{"type":"integer"}},"required":["b"]}],"$defs":{"A":{"type":"object","properties":{"a":{"type":"string","minLength":1}},"required":["a"]}}}',
    );
    const node = as(root, "object");
    expect(node.properties).toMatchObject([{ key: "a", required: true }, { key: "b", required: true }]);
    expect(field(doc, root, "a")).toMatchObject({ kind: "text", hints: ["1 to 5 characters"] });
  });

  it("says why when parts contradict each other, at that field only", () => {
    const { doc, root } = open('{"properties":{"a":{"allOf":[{"type":"string"},{"type":"integer"}]},"b":{"type":"string"}}}');
    expect(as(field(doc, root, "a"), "any").reason).toMatch(/different types/);
    expect(field(doc, root, "b").kind).toBe("text");
  });
});

group("initial values", () => {
  it("field-26 a required text starts as the empty text, an optional one is left out", () => {
    expect(initial('{"properties":{"filter":{"type":"string"},"note":{"type":"string"}},"required":["filter"]}')).toBe('{"filter":""}');
  });

  it.each(['{"type":"object","properties":{}}', '{"type":"object"}', "{}", "true"])("field-19 field-29 %s starts as {}", (schema) => {
    expect(initial(schema)).toBe("{}");
  });

  it("field-21 a new row has its defaults, and minItems makes rows", () => {
    const schema =
      '{"type":"object","properties":{"stops":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"wait":{"type":"integer","default":5}},"required":["name"]},"minItems":1}}}';
    const { doc, root } = open(schema);
    expect(writeJson(initialRoot(doc))).toBe("{}");
    const stops = as(field(doc, root, "stops"), "list");
    expect(writeJson(rowValue(doc, stops.items))).toBe('{"name":"","wait":5}');
    expect(initial(schema.replace(/}$/, ',"required":["stops"]}'))).toBe('{"stops":[{"name":"","wait":5}]}');
  });

  it("what must be chosen is not chosen beforehand", () => {
    expect(initial('{"properties":{"n":{"type":"integer"},"b":{"type":"boolean"},"e":{"enum":[1,2]},"d":{"type":"string","format":"date"}},"required":["n","b","e","d"]}')).toBe("{}");
  });

  it("defaults of any size are exact, fixed values are set", () => {
    expect(initial('{"properties":{"id":{"type":"integer","default":9007199254740993},"v":{"const":1.50}},"required":["v"]}')).toBe('{"id":9007199254740993,"v":1.50}');
  });

  it("an absurd minItems does not make absurd rows", () => {
    expect(initial('{"properties":{"a":{"type":"array","items":{"type":"string"},"minItems":1000000000}},"required":["a"]}').length).toBeLessThan(500);
  });
});

group("schemas made to exhaust", () => {
  const N = 60;
  const chain = (link: (next: string) => string) => {
    const defs = Array.from({ length: N }, (_, i) => `"d${i}":${link(`{"$ref":"#/$defs/d${i + 1}"}`)}`);
    return `{"$ref":"#/$defs/d0","$defs":{${defs.join(",")},"d${N}":{"type":"string"}}}`;
  };
  it.each([
    ["each level requires the next twice", chain((next) => `{"type":"object","properties":{"a":${next},"b":${next}},"required":["a","b"]}`)],
    ["each level merges the next twice", chain((next) => `{"allOf":[${next},${next}]}`)],
    ["each level chooses between the next and itself", chain((next) => `{"anyOf":[${next},{"$ref":"#"},${next}]}`)],
    ["each level is a tuple of the next", chain((next) => `{"type":"array","prefixItems":[${next},${next},${next}]}`)],
    ["a choice of only itself", '{"anyOf":[{"$ref":"#"}]}'],
    ["an object that is a choice of only itself", '{"type":"object","anyOf":[{"$ref":"#"}]}'],
    ["choices that lead back", '{"anyOf":[{"$ref":"#"},{"type":"object"}]}'],
    ["a tree that requires two of itself", '{"$ref":"#/$defs/N","$defs":{"N":{"type":"object","properties":{"l":{"$ref":"#/$defs/N"},"r":{"$ref":"#/$defs/N"}},"required":["l","r"]}}}'],
  ])("field-3 %s", (_, schema) => {
    const { doc, root } = open(schema);
    expect(root.kind).not.toBe("");
    expect(writeJson(initialRoot(doc)).length).toBeLessThan(200_000);
    fit(doc, doc.root, read('{"l":{"l":{}},"a":{"b":{"a":{}}}}'));
  });
});
