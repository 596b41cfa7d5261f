import { describe, expect, it } from "vitest";
import { isObject, JsonNumber, JsonObject, type JsonValue } from "./json";
import { sameJson } from "./jsonequal";
import { MAX_DEPTH, parseJson } from "./jsonparse";
import { child, isWithin, pointerSteps, toPointer, valueAt, withValueAt } from "./jsonpointer";
import { previewJson, writeJson } from "./jsonwrite";

function read(text: string): JsonValue {
  const result = parseJson(text);
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

function problem(text: string) {
  const result = parseJson(text);
  if (result.ok) throw new Error("was read without a problem");
  return result.problem;
}

describe("exact round trips", () => {
  const texts = [
    '{"id":9007199254740993,"n":[604512398877665431]}',
    "[1e400,-0,1.0,2.50,1E+2,0.1000000000000000000000000000001,123456789012345678901234567890]",
    '{"b":1,"2":2,"1":3,"__proto__":{"x":1},"constructor":null,"":0}',
    '["",null,true,false,{},[],"\\n\\u0000\\ud800\\"\\\\"]',
    '"lone"',
    "-12.5e-7",
  ];
  for (const text of texts) {
    it(`field-24 keeps ${text.slice(0, 50)}`, () => expect(writeJson(read(text))).toBe(text));
  }

  it("keeps a value through any spacing", () => {
    const value = read('{"a":[1,{"b":[]}],"c":"x y"}');
    expect(writeJson(value, 2)).toBe('{\n  "a": [\n    1,\n    {\n      "b": []\n    }\n  ],\n  "c": "x y"\n}');
    expect(sameJson(read(writeJson(value, 2)), value)).toBe(true);
  });

  it("keeps random values", () => {
    const random = generator(7);
    for (let i = 0; i < 300; i++) {
      const text = writeJson(randomValue(random, 4));
      expect(writeJson(read(text))).toBe(text);
      expect(writeJson(read(writeJson(read(text), 2)))).toBe(text);
    }
  });

  it("reads and writes the deepest allowed nesting, and refuses more without overflowing", () => {
    const deep = "[".repeat(MAX_DEPTH) + "]".repeat(MAX_DEPTH);
    expect(writeJson(read(deep))).toBe(deep);
    expect(problem("[".repeat(200_000)).message).toMatch(/levels deep/);
  });

  it("keeps repeated keys when asked to show them", () => {
    const result = parseJson('{"a":1,"a":2}', { keepDuplicates: true });
    expect(result.ok && writeJson(result.value)).toBe('{"a":1,"a":2}');
  });
});

describe("problems have a place and a plain reason", () => {
  it.each([
    ['{"a":1,\n "a":2}', /stands here twice/, 2, 2],
    ['{"a":1,}', /comma/, 1, 8],
    ['{"a" 1}', /colon/, 1, 6],
    ["{a:1}", /double quotes/, 1, 2],
    ["[1 2]", /comma or \]/, 1, 4],
    ["[01]", /start with 0/, 1, 3],
    ["[1.]", /Not a number/, 1, 3],
    ["[-]", /digit/, 1, 3],
    ['["a', /does not end/, 1, 2],
    ['["a\nb"]', /line break/, 1, 4],
    ['["\\x"]', /escape/, 1, 3],
    ['["\\u12g4"]', /hexadecimal/, 1, 3],
    ["nul", /Expected a value/, 1, 1],
    ["nullx", /Expected a value/, 1, 1],
    ["", /Nothing is written/, 1, 1],
    ["{} {}", /more text/, 1, 4],
    ["[1,", /too early/, 1, 4],
    ['{"a":1', /too early/, 1, 7],
    ["['a']", /straight double quotes/, 1, 2],
    ["// hi\n1", /comments/, 1, 1],
    ["\ufeff{}", /Expected a value/, 1, 1],
  ])("%j", (text, message, line, column) => {
    const found = problem(text);
    expect(found.message).toMatch(message);
    expect([found.line, found.column]).toEqual([line, column]);
  });

  it("refuses or reads any cut of a text, never throws", () => {
    const text = '{"a":[1.5e3,"\\u00e9",{"b":null}],"c":true}';
    for (let i = 0; i < text.length; i++) expect(parseJson(text.slice(0, i)).ok).toBe(false);
    expect(parseJson(text).ok).toBe(true);
  });
});

describe("objects", () => {
  const big = new JsonObject(Array.from({ length: 50 }, (_, i) => [`k${i}`, new JsonNumber(String(i))] as const));

  it("finds, changes, renames and drops members in place", () => {
    expect(writeJson(big.get("k49") ?? null)).toBe("49");
    expect(big.get("k50")).toBeUndefined();
    expect(big.with("k3", null).keys()).toEqual(big.keys());
    expect(big.with("k3", big.get("k3") ?? null)).toBe(big);
    expect(big.with("new", 1 > 0).keys().at(-1)).toBe("new");
    expect(big.renamed("k1", "z").keys().slice(0, 3)).toEqual(["k0", "z", "k2"]);
    expect(big.without("k0").has("k0")).toBe(false);
    expect(big.without("nothing")).toBe(big);
  });
});

describe("pointers", () => {
  it("escapes and reads back any key", () => {
    for (const key of ["a/b", "~", "~1", "", "0", "ä"]) {
      expect(pointerSteps(child("", key))).toEqual([key]);
    }
    expect(toPointer(["a", 0, "b/c"])).toBe("/a/0/b~1c");
    expect(isWithin("/a/b", "/a")).toBe(true);
    expect(isWithin("/ab", "/a")).toBe(false);
    expect(isWithin("/a", "")).toBe(true);
  });

  it("sets, makes and takes out places", () => {
    const root = read('{"a":[1,2,3],"b":{"c":null}}');
    expect(writeJson(valueAt(root, "/a/1") ?? null)).toBe("2");
    expect(valueAt(root, "/b/c")).toBeNull();
    expect(valueAt(root, "/b/d")).toBeUndefined();
    expect(valueAt(root, "/a/01")).toBeUndefined();
    const set = (pointer: string, value: JsonValue | undefined) => writeJson(withValueAt(root, pointer, value) ?? null);
    expect(set("/a/1", undefined)).toBe('{"a":[1,3],"b":{"c":null}}');
    expect(set("/a/3", "x")).toBe('{"a":[1,2,3,"x"],"b":{"c":null}}');
    expect(set("/a/9", "x")).toBe(writeJson(root));
    expect(set("/n/m", true)).toBe('{"a":[1,2,3],"b":{"c":null},"n":{"m":true}}');
    expect(set("/n/m", undefined)).toBe(writeJson(root));
    expect(set("/b/c", undefined)).toBe('{"a":[1,2,3],"b":{}}');
    expect(set("/b/c/d", true)).toBe(writeJson(root));
    const next = withValueAt(root, "/b/c", true);
    expect(isObject(next) && isObject(root) && next.get("a") === root.get("a")).toBe(true);
  });
});

describe("equality and previews", () => {
  it("compares as JSON Schema does", () => {
    expect(sameJson(read('{"a":1,"b":[1.0]}'), read('{"b":[10e-1],"a":1}'))).toBe(true);
    expect(sameJson(read("9007199254740993"), read("9007199254740992"))).toBe(false);
    expect(sameJson(read("0"), read("false"))).toBe(false);
    expect(sameJson(read("[1]"), read("[1,2]"))).toBe(false);
  });

  it("previews large values in short", () => {
    const list = Array.from({ length: 100_000 }, () => "x".repeat(100));
    expect(previewJson(list, 40).length).toBeLessThanOrEqual(40);
    expect(previewJson(read('{"a":1}'))).toBe('{"a":1}');
  });
});

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

function randomValue(random: () => number, depth: number): JsonValue {
  const pick = Math.floor(random() * (depth > 0 ? 7 : 5));
  const text = () => Array.from({ length: Math.floor(random() * 6) }, () => String.fromCharCode(Math.floor(random() * 0x300))).join("");
  if (pick === 0) return null;
  if (pick === 1) return random() > 0.5;
  if (pick === 2) return new JsonNumber(["0", "-0", "1e5", "2.50", "99999999999999999999"][Math.floor(random() * 5)] ?? "1");
  if (pick < 5) return text();
  const size = Math.floor(random() * 4);
  if (pick === 5) return Array.from({ length: size }, () => randomValue(random, depth - 1));
  return new JsonObject(Array.from({ length: size }, (_, i) => [`${i}${text()}`, randomValue(random, depth - 1)] as const));
}
