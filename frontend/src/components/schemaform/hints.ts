import { asString, isNumber, type JsonObject } from "../../utils/json";

function limit(schema: JsonObject, keyword: string): string | undefined {
  const value = schema.get(keyword);
  return isNumber(value) ? value.text : undefined;
}

/** A whole number from a keyword, for sizes; the fallback when absent or absurd. */
export function size(schema: JsonObject, keyword: string, fallback: number): number {
  const value = Number(limit(schema, keyword));
  return Number.isSafeInteger(value) && value >= 0 ? value : fallback;
}

function span(low: string | undefined, high: string | undefined, unit: string): string | undefined {
  const of = (limit: string) => (unit === "" ? limit : `${limit} ${limit === "1" ? unit.replace(/ies$/, "y").replace(/s$/, "") : unit}`);
  if (low !== undefined && high !== undefined) return low === high ? `exactly ${of(low)}` : `${low} to ${of(high)}`;
  if (low !== undefined) return low === "0" && unit !== "" ? undefined : `at least ${of(low)}`;
  return high === undefined ? undefined : `at most ${of(high)}`;
}

const FORMATS: Record<string, string> = {
  date: "date as 2026-03-31",
  time: "time as 14:30:00Z",
  "date-time": "date and time with zone, as 2026-03-31T14:30:00+02:00",
  duration: "duration as P3DT4H",
  email: "email address",
  "idn-email": "email address",
  uri: "address (URI)",
  url: "address (URL)",
  "uri-reference": "address (URI) or part of one",
  iri: "address (IRI)",
  uuid: "UUID",
  hostname: "host name",
  ipv4: "IPv4 address",
  ipv6: "IPv6 address",
  regex: "regular expression",
  "json-pointer": "JSON Pointer",
};

/** What the schema expects of a value, as short phrases. */
export function hintsOf(schema: JsonObject): string[] {
  const hints: (string | undefined)[] = [];
  const format = asString(schema.get("format"));
  if (format !== undefined) hints.push(FORMATS[format]);
  hints.push(span(limit(schema, "minLength"), limit(schema, "maxLength"), "characters"));
  hints.push(span(limit(schema, "minimum"), limit(schema, "maximum"), ""));
  const above = limit(schema, "exclusiveMinimum");
  const below = limit(schema, "exclusiveMaximum");
  if (above !== undefined) hints.push(`more than ${above}`);
  if (below !== undefined) hints.push(`less than ${below}`);
  const multiple = limit(schema, "multipleOf");
  if (multiple !== undefined) hints.push(`a multiple of ${multiple}`);
  const pattern = asString(schema.get("pattern"));
  if (pattern !== undefined) hints.push(`pattern ${pattern}`);
  hints.push(span(limit(schema, "minItems"), limit(schema, "maxItems"), "items"));
  if (schema.get("uniqueItems") === true) hints.push("no item twice");
  hints.push(span(limit(schema, "minProperties"), limit(schema, "maxProperties"), "entries"));
  const encoding = asString(schema.get("contentEncoding"));
  if (encoding !== undefined) hints.push(`encoded as ${encoding}`);
  return hints.filter((hint) => hint !== undefined);
}
