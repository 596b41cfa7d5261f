import { isObject, type JsonValue } from "../../utils/json";
import { parseJson } from "../../utils/jsonparse";
import { writeJson } from "../../utils/jsonwrite";
import { describe } from "./describe";
import { SchemaDoc } from "./doc";
import { initialRoot } from "./initial";
import type { FieldNode } from "./node";

/** What can be made of a schema text. */
export interface Plan {
  doc: SchemaDoc;
  root: FieldNode;
  /** There are fields to draw. Without them only the JSON editor is of use. */
  drawable: boolean;
  /** Said above the editor when nothing is drawn, and above the form when it is worth saying. "" for nothing. */
  notice: string;
}

/** Reads a schema text; "" and null stand for no schema. Never fails: what cannot be drawn is edited as JSON. */
export function planForm(schemaText: string): Plan {
  if (schemaText.trim() === "") return bare(true, "There is no schema: nothing is known about the arguments. Write them as a JSON object.");
  const read = parseJson(schemaText, { keepDuplicates: true });
  if (!read.ok) return bare(true, `The schema cannot be read (${read.problem.message}). Write the arguments as a JSON object.`);
  const { value } = read;
  if (value === null) return bare(true, "The schema is null: nothing is known about the arguments. Write them as a JSON object.");
  if (!isObject(value) && typeof value !== "boolean") return bare(true, "The schema is not one. Write the arguments as a JSON object.");
  return planOf(value);
}

function planOf(schema: JsonValue): Plan {
  const doc = new SchemaDoc(schema);
  const root = describe(doc, schema);
  switch (root.kind) {
    case "variant":
      return { doc, root, drawable: true, notice: "" };
    case "object":
      if (root.properties.length > 0) return { doc, root, drawable: true, notice: "" };
      if (isObject(schema) && schema.has("additionalProperties") && root.open) return { doc, root, drawable: true, notice: "" };
      if (isObject(schema) && isObject(schema.get("properties"))) return { doc, root, drawable: true, notice: "Nothing has to be filled in." };
      if (root.extra === false) return { doc, root, drawable: true, notice: "Nothing has to be filled in." };
      return { doc, root, drawable: false, notice: "The schema names no fields. Whatever JSON object is written here is sent as it stands." };
    case "any":
      return { doc, root, drawable: false, notice: root.reason === "" ? "The schema takes any arguments. Write them as a JSON object." : `The form cannot be drawn: ${root.reason}` };
    default:
      return { doc, root, drawable: false, notice: "The schema does not describe an object, and arguments are always one." };
  }
}

function bare(schema: boolean, notice: string): Plan {
  const doc = new SchemaDoc(schema);
  return { doc, root: describe(doc, schema), drawable: false, notice };
}

/** The text that a form for this schema starts from. */
export function initialText(schemaText: string): string {
  return writeJson(initialRoot(planForm(schemaText).doc), 2);
}
