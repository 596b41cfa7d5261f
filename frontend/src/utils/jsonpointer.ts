import { isArray, isObject, type JsonValue, JsonObject } from "./json";

/** A place in a value: keys of objects and positions in arrays, outermost first. */
export type JsonPath = readonly (string | number)[];

/** The JSON Pointer (RFC 6901) of a place. The root is "". */
export function toPointer(path: JsonPath): string {
  return path.map((step) => `/${escapeStep(step)}`).join("");
}

export function escapeStep(step: string | number): string {
  return String(step).replaceAll("~", "~0").replaceAll("/", "~1");
}

export function child(pointer: string, step: string | number): string {
  return `${pointer}/${escapeStep(step)}`;
}

/** The unescaped steps of a pointer. Text before the first slash is ignored. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Whether `pointer` is `ancestor` itself or a place inside it. */
export function isWithin(pointer: string, ancestor: string): boolean {
  return pointer === ancestor || pointer.startsWith(`${ancestor}/`);
}

function arrayIndex(step: string, length: number): number {
  return /^(?:0|[1-9]\d*)$/.test(step) && Number(step) < length ? Number(step) : -1;
}

/** The value at a place, undefined when nothing is there. */
export function valueAt(root: JsonValue | undefined, pointer: string): JsonValue | undefined {
  let here = root;
  for (const step of pointerSteps(pointer)) {
    if (isObject(here)) here = here.get(step);
    else if (isArray(here)) here = here[arrayIndex(step, here.length)];
    else return undefined;
  }
  return here;
}

/**
 * The root with another value at a place; `undefined` takes the place out (a
 * member of an object, or an item with the following ones moving up). Missing
 * objects on the way are made. A step that cannot exist leaves the root as it is.
 */
export function withValueAt(
  root: JsonValue | undefined,
  pointer: string,
  value: JsonValue | undefined,
): JsonValue | undefined {
  return put(root, pointerSteps(pointer), 0, value);
}

function put(
  here: JsonValue | undefined,
  steps: readonly string[],
  depth: number,
  value: JsonValue | undefined,
): JsonValue | undefined {
  const step = steps[depth];
  if (step === undefined) return value;
  if (isArray(here)) {
    const at = step === String(here.length) ? here.length : arrayIndex(step, here.length);
    if (at < 0) return here;
    const next = put(here[at], steps, depth + 1, value);
    const items = here.slice();
    if (next === undefined) items.splice(at, 1);
    else items[at] = next;
    return items;
  }
  const base = here === undefined ? JsonObject.empty : here;
  if (!isObject(base)) return here;
  const next = put(base.get(step), steps, depth + 1, value);
  if (next === undefined) return here === undefined ? undefined : base.without(step);
  return base.with(step, next);
}
