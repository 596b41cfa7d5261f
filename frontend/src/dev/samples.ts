import type { Result } from "../components/result";
import type { FieldError } from "../components/schemaform";

/** A schema with a field of every kind. */
export const FORM_SCHEMA = JSON.stringify({
  type: "object",
  required: ["city", "units", "stops", "area"],
  properties: {
    city: { type: "string", title: "City", description: "Name of the city, as on a map." },
    units: { type: "string", oneOf: [{ const: "c", title: "Celsius" }, { const: "f", title: "Fahrenheit" }], default: "c" },
    days: { type: "integer", minimum: 1, maximum: 14, description: "How many days ahead." },
    zone: { enum: Array.from({ length: 600 }, (_, i) => `zone-${String(i + 1).padStart(4, "0")}`) },
    exact: { type: "boolean", description: "Without rounding." },
    since: { type: "string", format: "date-time" },
    body: { type: "string", description: "A longer text." },
    maybe: { type: ["integer", "null"], title: "Lot number" },
    tags: { type: "array", items: { type: "string" }, description: "Any words." },
    weekdays: { type: "array", uniqueItems: true, items: { enum: ["Mo", "Tu", "We", "Th", "Fr"] } },
    stops: {
      type: "array",
      title: "Stops",
      minItems: 1,
      items: { type: "object", title: "Stop", required: ["name"], properties: { name: { type: "string" }, wait: { type: "integer", default: 5 } } },
    },
    pair: { type: "array", prefixItems: [{ type: "number", title: "Latitude" }, { type: "number", title: "Longitude" }], items: false },
    labels: { type: "object", additionalProperties: { type: "integer" }, description: "Numbers by name." },
    area: {
      oneOf: [
        { type: "object", title: "Circle", required: ["radius"], properties: { kind: { const: "circle" }, radius: { type: "number" } } },
        { type: "object", title: "Box", properties: { kind: { const: "box" }, width: { type: "number" } } },
      ],
    },
    tree: { $ref: "#/$defs/Node" },
    extra: true,
    lost: { $ref: "#/$defs/Nobody" },
    never: false,
  },
  $defs: { Node: { type: "object", properties: { label: { type: "string" }, kids: { type: "array", items: { $ref: "#/$defs/Node" } } } } },
});

export const FORM_VALUE = `{
  "city": "", "units": "c", "days": 99, "maybe": null, "exact": false, "body": "row 1\\nrow 2", "tags": ["one", "two"],
  "weekdays": ["Mo", "Fr"], "stops": [{"name": "Kiel", "wait": 5}, {"name": "x\\u200by", "wait": 9007199254740993}],
  "pair": [54.3, 10.1], "labels": {"a": 1, "b": 2}, "area": {"radius": 2.5},
  "tree": {"label": "root", "kids": [{"label": "leaf", "kids": [{"label": "deep"}]}]}, "extra": {"any": ["thing"]}, "stray": 12
}`;

export const ERRORS: readonly FieldError[] = [
  { pointer: "/days", message: "must be at most 14" },
  { pointer: "/stops/1/name", message: "is not a known stop" },
  { pointer: "/area/radius", message: "must be a whole number" },
];

export const TREE = JSON.stringify({
  name: "list",
  hidden: "a\u202eb",
  path: `${" ".repeat(300)}../../.ssh/config`,
  rows: Array.from({ length: 5_000 }, (_, i) => ({ id: i, city: `City ${i}`, degrees: i / 7 })),
}).replace('"name"', '"big":9007199254740993,"name"');

const inline = (text: string) => ({ text, size: new TextEncoder().encode(text).length, handle: "", masked: 0 });
const block = { text: null, handle: "", mime: "", sniffed: "", uri: "", name: "", title: "", description: "", size: 0, audience: [], raw: "{}", problem: "" };

/** Makes a picture in the page, so that there is one without a file. */
async function picture(): Promise<Uint8Array> {
  const canvas = document.createElement("canvas");
  canvas.width = 640;
  canvas.height = 240;
  const pen = canvas.getContext("2d");
  for (let x = 0; x < 640 && pen !== null; x += 20) {
    pen.fillStyle = `hsl(${210 + x / 20} 50% 55%)`;
    pen.fillRect(x, 240 - 60 - 50 * (1 + Math.sin(x / 60)), 16, 240);
  }
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  return new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0));
}

function sound(): Uint8Array {
  const samples = 8_000;
  const bytes = new Uint8Array(44 + samples);
  const view = new DataView(bytes.buffer);
  const word = (at: number, text: string) => [...text].forEach((char, i) => view.setUint8(at + i, char.charCodeAt(0)));
  word(0, "RIFF");
  view.setUint32(4, 36 + samples, true);
  word(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, 8_000, true);
  view.setUint32(28, 8_000, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  word(36, "data");
  view.setUint32(40, samples, true);
  for (let i = 0; i < samples; i++) view.setUint8(44 + i, 128 + 60 * Math.sin(i / 3));
  return bytes;
}

const BIG = new TextEncoder().encode(Array.from({ length: 60_000 }, (_, i) => `line ${i}: ${"word ".repeat(i % 30)}`).join("\n"));

export async function load(handle: string, offset: number, length: number): Promise<ArrayBuffer> {
  const bytes = handle === "picture" ? await picture() : handle === "sound" ? sound() : BIG;
  return bytes.slice(offset, offset + length).buffer;
}

export const RESULT: Result = {
  isError: true,
  notes: ["The result has no content list; its structured content is shown."],
  error: null,
  schemaErrors: [],
  raw: { ...inline('{"content":[{"type":"text","text":"row 1\\nrow 2"}],"structuredContent":{"id":9007199254740993}}'), masked: 2 },
  structured: inline('{"id":9007199254740993,"rows":[{"city":"Kiel","degrees":2.50,"dry":true},{"city":"Bern","degrees":-1,"wind":{"from":"N"}}],"none":null}'),
  blocks: [
    { ...block, index: 0, type: "text", text: inline("row 1\nrow 2\n\ttab\nhidden \u202etxt") },
    { ...block, index: 1, type: "text", text: inline("\u001b[31mfail\u001b[0m \u001b[1mbold\u001b[22m \u001b[32mgreen\u001b[0m \u001b[33myellow\u001b[0m \u001b[34mblue\u001b[0m \u001b[35mmagenta\u001b[0m \u001b[36mcyan\u001b[0m \u001b[37mwhite\u001b[0m") },
    { ...block, index: 2, type: "image", handle: "picture", mime: "image/png", sniffed: "image/png", size: 3_512, name: "chart" },
    { ...block, index: 3, type: "audio", handle: "sound", mime: "audio/wav", sniffed: "audio/wav", size: 8_044 },
    { ...block, index: 4, type: "resource_link", uri: "file:///home/kim/notes.txt", name: "notes.txt", description: "Notes of the week", mime: "text/plain", size: 2_048 },
    { ...block, index: 5, type: "resource", uri: "demo://readme", mime: "text/markdown", text: inline("# Read me\n\nAs text.") },
    { ...block, index: 6, type: "json", raw: '{"type":"json","json":{"a":1}}' },
    { ...block, index: 7, type: "image", mime: "image/png", problem: "The data is an address, not an image. It was not fetched: https://img.example.test/p.png", raw: '{"type":"image","data":"https://img.example.test/p.png"}' },
    { ...block, index: 8, type: "text", text: { text: new TextDecoder().decode(BIG.slice(0, 4_096)), size: BIG.length, handle: "big", masked: 0 }, audience: ["user"] },
  ],
};

/** A schema of so many fields of mixed kinds. */
export function wideSchema(count: number): string {
  const kinds = [{ type: "string" }, { type: "integer" }, { type: "boolean" }, { enum: ["a", "b", "c", "d", "e", "f"] }, { type: "array", items: { type: "string" } }];
  const properties = Object.fromEntries(Array.from({ length: count }, (_, i) => [`field_${i}`, { ...kinds[i % kinds.length], description: `Field number ${i}` }]));
  return JSON.stringify({ type: "object", properties, required: Object.keys(properties) });
}

/** A schema of so many levels, each required. */
export function deepSchema(levels: number): string {
  let schema: object = { type: "object", properties: { leaf: { type: "string" } }, required: ["leaf"] };
  for (let i = 0; i < levels; i++) schema = { type: "object", properties: { name: { type: "string" }, inner: schema }, required: ["name", "inner"] };
  return JSON.stringify(schema);
}
