import { Select } from "@mantine/core";
import { useState } from "react";
import { isObject, type JsonObject, type JsonValue } from "../../utils/json";
import { visibleText } from "../../utils/visible";
import { type FieldProps, useFrame } from "./context";
import { describe } from "./describe";
import { Field } from "./Field";
import { useFieldIds } from "./FieldFrame";
import classes from "./form.module.css";
import { GroupFrame } from "./GroupFrame";
import { initialValue, initialVariant, rowValue } from "./initial";
import { bestVariant, fit } from "./match";
import type { VariantNode } from "./node";

/**
 * A choice between schemas: a picker, and below it the fields of the branch
 * picked. Each branch's value is remembered, so that going there and back loses
 * nothing.
 */
export function VariantField({ field, node }: { field: FieldProps; node: VariantNode }) {
  const { store, doc, readOnly } = useFrame();
  const { pointer, value, depth } = field;
  const ids = useFieldIds(pointer);
  const [, redraw] = useState(0);
  // Variants can nest at one place; the depth tells their memories and ids apart.
  const memory = `variant${depth}:${pointer}`;
  const branch = (index: number) => `branch${depth}-${index}:${pointer}`;
  const chosen = store.recall<number>(memory);
  const at = chosen ?? (value === undefined || value === null ? 0 : bestVariant(doc, node, value));
  const variant = node.variants[at] ?? node.variants[0];
  if (variant === undefined) return null;

  const pick = (to: number) => {
    const next = node.variants[to];
    if (next === undefined || to === at) return;
    if (value !== undefined) store.remember(branch(at), value);
    store.remember(memory, to);
    const kept = store.recall<JsonValue>(branch(to));
    store.update(pointer, carryOver(value, kept ?? initialVariant(doc, next.schema) ?? emptyFor(next.schema), variant.schema, next.schema));
    redraw((n) => n + 1);
  };
  const emptyFor = (schema: JsonObject): JsonValue => rowValue(doc, schema);
  /** Members that both branches know keep what was typed. */
  const carryOver = (from: JsonValue | undefined, to: JsonValue, former: JsonObject, next: JsonObject): JsonValue => {
    if (from !== undefined && !isObject(from) && fit(doc, next, from) > 1) return from;
    if (!isObject(from) || !isObject(to)) return to;
    const before = describe(doc, former);
    const after = describe(doc, next);
    if (before.kind !== "object" || after.kind !== "object") return to;
    const theirs = new Map(after.properties.map((property) => [property.key, property.schema]));
    const mine = new Set(before.properties.map((property) => property.key));
    const entries = from.entries.filter(([key, member]) => {
      const schema = theirs.get(key);
      return schema === undefined ? !mine.has(key) && after.extra !== false : fit(doc, schema, member) > 0;
    });
    return entries.reduce((out, [key, member]) => out.with(key, member), to);
  };
  const make = () => {
    store.update(pointer, initialValue(doc, field.schema) ?? emptyFor(variant.schema));
    redraw((n) => n + 1);
  };
  return (
    <GroupFrame field={field} node={node} make={{ label: "Set", run: make }} idSuffix={field.bare === true ? `-choice${depth}` : "-choice"}>
      <div className={classes["stack"]}>
        <Select
          id={`${ids.input}-variant${depth}`}
          className={classes["variant"]}
          aria-label={`Kind of ${visibleText(node.title || field.name)}`}
          data={node.variants.map((one, index) => ({ value: String(index), label: visibleText(one.label) }))}
          value={String(at)}
          onChange={(key) => pick(Number(key))}
          allowDeselect={false}
          readOnly={readOnly}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          size="xs"
        />
        <Field key={at} schema={variant.schema} pointer={pointer} name={field.name} value={value} presence="row" depth={depth + 1} pickers={(field.pickers ?? 0) + 1} bare />
      </div>
    </GroupFrame>
  );
}
