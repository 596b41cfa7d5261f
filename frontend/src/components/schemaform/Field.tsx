import { Button } from "@mantine/core";
import { memo } from "react";
import { isArray, type JsonValue, typeOf } from "../../utils/json";
import { BooleanField, ChoiceField, ConstField, isMultiChoice, MultiChoiceField } from "./ChoiceFields";
import { type FieldProps, useFrame } from "./context";
import { describe } from "./describe";
import { FieldFrame, useFieldIds, useMessages } from "./FieldFrame";
import classes from "./form.module.css";
import { JsonField } from "./JsonField";
import { ListField, TupleField } from "./ListField";
import { canShow } from "./match";
import type { FieldNode, ListNode } from "./node";
import { NumberField } from "./NumberField";
import { ObjectField } from "./ObjectField";
import { TextField } from "./TextField";
import { VariantField } from "./VariantField";

/** Pickers inside one another at one place; more are a circle. */
const MAX_PICKERS = 4;

/** One place of the value, drawn as its schema says. Redrawn only when its own value or schema changes. */
export const Field = memo(function Field(props: FieldProps) {
  const { doc, flat } = useFrame();
  const node = describe(doc, props.schema, props.name);
  const { value } = props;
  if (value !== undefined && node.kind !== "never" && !canShow(node, value)) {
    return <JsonField field={props} node={{ ...node, hints: [] }} reason={mismatch(node, value)} />;
  }
  switch (node.kind) {
    case "text":
      return <TextField field={props} node={node} />;
    case "number":
      return <NumberField field={props} node={node} />;
    case "boolean":
      return <BooleanField field={props} node={node} />;
    case "choice":
      return <ChoiceField field={props} node={node} />;
    case "const":
      return <ConstField field={props} node={node} />;
    case "object":
      return <ObjectField field={props} node={node} />;
    case "list":
      return <ListOrChoices field={props} node={node} flat={flat} />;
    case "tuple":
      return <TupleField field={props} node={node} />;
    case "variant":
      if ((props.pickers ?? 0) >= MAX_PICKERS) return <JsonField field={props} node={{ ...node, hints: [] }} reason="Its choices lead on to further choices without end." />;
      return <VariantField field={props} node={node} />;
    case "any":
      return <JsonField field={props} node={node} reason={node.reason} />;
    case "never":
      return <NeverField field={props} node={node} />;
  }
});

function ListOrChoices({ field, node, flat }: { field: FieldProps; node: ListNode; flat: boolean }) {
  const { doc } = useFrame();
  const items = node.unique || flat ? describe(doc, node.items) : undefined;
  if (items?.kind === "choice" && isMultiChoice(field.value, items.choices)) {
    return <MultiChoiceField field={field} node={node} choices={items.choices} />;
  }
  return <ListField field={field} node={node} />;
}

const KINDS: Partial<Record<FieldNode["kind"], string>> = {
  text: "a text", number: "a number", boolean: "yes or no", object: "an object", list: "a list", tuple: "a list",
};

function mismatch(node: FieldNode, value: JsonValue): string {
  if (node.kind === "choice") return "the value is none of the choices.";
  if (node.kind === "const") return "the value differs from the fixed one.";
  if (node.kind === "text" && typeof value === "string") return "the text holds characters that a text box cannot keep.";
  const type = typeOf(value);
  const found = type === "null" ? "null" : `${isArray(value) || type === "object" ? "an" : "a"} ${type}`;
  return `the value is ${found}, the schema asks for ${KINDS[node.kind] ?? "something else"}.`;
}

/** A place where no value is allowed. Shown, so that a stray value can be seen and taken out. */
function NeverField({ field, node }: { field: FieldProps; node: FieldNode }) {
  const { store, readOnly } = useFrame();
  const ids = useFieldIds(field.pointer);
  const messages = useMessages(field.pointer, field.value === undefined ? undefined : "The schema allows no value here.");
  return (
    <FieldFrame field={field} node={node} messages={messages} single={false}>
      <div id={ids.input} tabIndex={-1} role="group" aria-labelledby={ids.label} aria-describedby={ids.help} className={classes["help"]}>
        {field.value === undefined ? (
          "Cannot be set."
        ) : (
          <Button variant="default" size="compact-xs" disabled={readOnly} onClick={() => store.update(field.pointer, undefined)}>
            Take it out
          </Button>
        )}
      </div>
    </FieldFrame>
  );
}
