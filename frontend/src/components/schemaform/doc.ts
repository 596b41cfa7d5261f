import { asString, isArray, isObject, type JsonObject, type JsonValue } from "../../utils/json";
import { pointerSteps } from "../../utils/jsonpointer";

const ROOT = "https://schema.invalid/";

/** Keywords whose members are schemas under names of the author's choosing. */
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
/** Keywords whose value is data, in which "$id" and "$anchor" mean nothing. */
const DATA = new Set(["const", "enum", "default", "examples", "example"]);

export type Found = { ok: true; schema: JsonValue } | { ok: false; reason: string };

interface Index {
  ids: Map<string, JsonObject>;
  anchors: Map<string, JsonObject>;
  /** Base addresses of schemas that are not in the base of the document. */
  bases: Map<JsonObject, string>;
}

/**
 * One schema document. Finds what references inside it point to; nothing is
 * ever fetched. Immutable apart from its caches.
 */
export class SchemaDoc {
  private index: Index | undefined;
  /** Results of merging and describing, kept by whoever computes them; the keys are schema objects. */
  /** How many descriptions are being made inside one another. */
  describing = 0;
  readonly caches = { merged: new WeakMap<JsonObject, unknown>(), nodes: new WeakMap<JsonObject, unknown>() };

  constructor(readonly root: JsonValue) {}

  /** The schema that a reference standing in `from` points to. */
  find(reference: string, from: JsonObject): Found {
    if (reference === "#") return this.inBase(from, "");
    this.index ??= indexOf(this.root);
    const address = join(reference, this.index.bases.get(from) ?? this.base());
    if (address === undefined) return { ok: false, reason: `Its reference ${reference} cannot be read.` };
    const [document = "", fragment = ""] = split(address);
    const start = this.index.ids.get(document);
    if (start === undefined) {
      return { ok: false, reason: `It refers to ${reference}, which is outside this schema and is not fetched.` };
    }
    const schema = fragment === "" || fragment.startsWith("/") ? step(start, fragment) : this.index.anchors.get(address);
    if (schema === undefined) return { ok: false, reason: `It refers to ${reference}, which is not in this schema.` };
    return { ok: true, schema };
  }

  private inBase(from: JsonObject, fragment: string): Found {
    this.index ??= indexOf(this.root);
    const schema = this.index.ids.get(this.index.bases.get(from) ?? this.base()) ?? this.root;
    return { ok: true, schema: step(schema, fragment) ?? this.root };
  }

  private base(): string {
    const id = isObject(this.root) ? asString(this.root.get("$id")) : undefined;
    return (id === undefined ? undefined : split(join(id, ROOT) ?? ROOT)[0]) ?? ROOT;
  }
}

function join(reference: string, base: string): string | undefined {
  try {
    return new URL(reference, base).href;
  } catch {
    return undefined;
  }
}

function split(address: string): [string, string] {
  const at = address.indexOf("#");
  return at < 0 ? [address, ""] : [address.slice(0, at), address.slice(at + 1)];
}

function step(start: JsonValue, fragment: string): JsonValue | undefined {
  let here: JsonValue | undefined = start;
  for (const raw of pointerSteps(fragment)) {
    const name = unescape(raw);
    if (isObject(here)) here = here.get(name);
    else if (isArray(here)) here = here[Number(name)];
    else return undefined;
  }
  return here;
}

function unescape(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function indexOf(root: JsonValue): Index {
  const index: Index = { ids: new Map(), anchors: new Map(), bases: new Map() };
  if (isObject(root)) index.ids.set(ROOT, root);
  const stack: [value: JsonValue, base: string, named: boolean][] = [[root, ROOT, false]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [value, outer, named] = next;
    if (isArray(value)) for (const item of value) stack.push([item, outer, false]);
    if (!isObject(value)) continue;
    const base = named ? outer : enter(index, value, outer);
    for (const [key, member] of value.entries) {
      if (named || !DATA.has(key)) stack.push([member, base, !named && NAMED.has(key)]);
    }
  }
  return index;
}

function enter(index: Index, schema: JsonObject, outer: string): string {
  const id = asString(schema.get("$id"));
  let base = outer;
  if (id !== undefined) {
    const address = join(id, outer) ?? outer;
    const [document, fragment] = split(address);
    if (fragment !== "") index.anchors.set(address, schema);
    else {
      base = document;
      if (!index.ids.has(document)) index.ids.set(document, schema);
    }
  }
  for (const keyword of ["$anchor", "$dynamicAnchor"]) {
    const anchor = asString(schema.get(keyword));
    if (anchor !== undefined && !index.anchors.has(`${base}#${anchor}`)) index.anchors.set(`${base}#${anchor}`, schema);
  }
  if (base !== ROOT) index.bases.set(schema, base);
  return base;
}
