import { isArray, isNumber, isObject, type JsonValue } from "./json";
import { sameNumber } from "./jsonnumber";

/** Whether two values are equal as JSON Schema means it: numbers by value, objects without regard to key order. */
export function sameJson(a: JsonValue, b: JsonValue): boolean {
  const stack: [JsonValue, JsonValue][] = [[a, b]];
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    const [x, y] = pair;
    if (x === y) continue;
    if (isNumber(x) && isNumber(y)) {
      if (!sameNumber(x.text, y.text)) return false;
    } else if (isArray(x) && isArray(y)) {
      if (x.length !== y.length) return false;
      for (let i = 0; i < x.length; i++) stack.push([x[i] ?? null, y[i] ?? null]);
    } else if (isObject(x) && isObject(y)) {
      if (x.size !== y.size) return false;
      for (const [key, value] of x.entries) {
        const other = y.get(key);
        if (other === undefined) return false;
        stack.push([value, other]);
      }
    } else return false;
  }
  return true;
}
