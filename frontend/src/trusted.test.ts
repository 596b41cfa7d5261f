import { afterEach, expect, it, vi } from "vitest";

interface Rules {
  createHTML: (text: string) => string | null;
}

afterEach(() => vi.unstubAllGlobals());

it("the page's one Trusted Types policy lets style text through, no markup, and neither scripts nor their addresses", async () => {
  const made: [name: string, rules: Rules][] = [];
  vi.stubGlobal("trustedTypes", { createPolicy: (name: string, rules: Rules) => made.push([name, rules]) });
  await import("./trusted");
  expect(made.map(([name]) => name)).toEqual(["default"]);
  const rules = made[0]?.[1];
  expect(rules?.createHTML(":root{--a:1px}")).toBe(":root{--a:1px}");
  // null is a refusal: the browser throws where the text was to be set.
  for (const text of ["<b>x</b>", "a<!--", "\u0000<", "&lt;img src=x>&gt;<"]) expect(rules?.createHTML(text)).toBeNull();
  expect(Object.keys(rules ?? {})).toEqual(["createHTML"]);
});
