import { Button, Tabs } from "@mantine/core";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { isObject, type JsonValue, typeOf } from "../../utils/json";
import { sameJson } from "../../utils/jsonequal";
import { valueAt } from "../../utils/jsonpointer";
import { Seen } from "../jsonview/Seen";
import { ErrorsContext, type FormFrame, FrameContext } from "./context";
import { ErrorIndex, type FieldError } from "./errors";
import { ErrorSummary, focusFirst } from "./ErrorSummary";
import { Field } from "./Field";
import classes from "./form.module.css";
import { JsonEditor } from "./JsonEditor";
import { Members } from "./ObjectField";
import { initialText, type Plan, planForm } from "./plan";
import { FormStore, type Read } from "./store";

export interface SchemaFormProps {
  /** The JSON Schema as text; "" for none. */
  schemaText: string;
  /** The value as JSON text; "" lets the form start from the schema's defaults. */
  valueText: string;
  /** Called with every change: the new text, and whether it is an object with nothing unfinished in it. */
  onChange: (text: string, valid: boolean) => void;
  /** What the validator found wrong, by place. The first gets the focus when they change. */
  errors: readonly FieldError[];
  /** Distinguishes this form's element ids from those of others on the page. */
  idPrefix: string;
  readOnly?: boolean;
  /** A flat form without the JSON tab, as servers ask for in questions. */
  flat?: boolean;
}

type Tab = "form" | "json";

/** A form for the value that a JSON Schema describes, and a JSON editor of the same value. */
export function SchemaForm({ schemaText, valueText, onChange, errors, idPrefix, readOnly = false, flat = false }: SchemaFormProps) {
  const plan = useMemo(() => planForm(schemaText), [schemaText]);
  const [store] = useState(() => new FormStore());
  const text = valueText === "" ? initialText(schemaText) : valueText;
  const read = store.read(text);
  const [wanted, setWanted] = useState<Tab>(read.ok ? "form" : "json");
  const tab: Tab = plan.drawable ? wanted : "json";
  const emit = useEffectEvent(onChange);

  useEffect(() => {
    store.onEmit((next, valid) => emit(next, valid));
  }, [store]);
  useEffect(() => {
    store.setDrawn(tab === "form");
  }, [store, tab]);
  // Tells the owner how things stand at first, and when the text was changed from outside.
  useEffect(() => {
    emit(text, store.valid);
  }, [store, text]);
  useEffect(() => {
    if (errors.length > 0) focusFirst(idPrefix, errors);
  }, [errors, idPrefix]);

  const open = useOpenErrors(errors, read);
  const index = useMemo(() => new ErrorIndex(open), [open]);
  const frame = useMemo<FormFrame>(
    () => ({ store, doc: plan.doc, prefix: idPrefix, readOnly, flat }),
    [store, plan, idPrefix, readOnly, flat],
  );
  const form = (
    <FormPane plan={plan} read={read} onShowJson={() => setWanted("json")} canShowJson={!flat} />
  );
  const editor = (
    <JsonEditor
      id={`${idPrefix}-json`}
      text={text}
      label="Arguments as JSON"
      problem={read.ok ? undefined : read.problem}
      complaint={read.ok && !isObject(read.value) ? notAnObject(read.value) : ""}
      readOnly={readOnly}
      onChange={(next) => {
        const found = store.read(next);
        onChange(next, found.ok && isObject(found.value));
      }}
    />
  );
  return (
    <FrameContext value={frame}>
      <ErrorsContext value={index}>
        <div className={classes["form"]}>
          <ErrorSummary errors={open} prefix={idPrefix} jump={tab === "form" && read.ok} />
          {plan.notice !== "" && (
            <div className={classes["help"]}>
              <Seen text={plan.notice} />
            </div>
          )}
          {!plan.drawable ? (
            editor
          ) : flat ? (
            form
          ) : (
            <Tabs value={tab} onChange={(next) => setWanted(next === "json" ? "json" : "form")} keepMounted={false}>
              <Tabs.List>
                <Tabs.Tab value="form">Form</Tabs.Tab>
                <Tabs.Tab value="json">JSON</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="form" pt="sm">
                {form}
              </Tabs.Panel>
              <Tabs.Panel value="json" pt="sm">
                {editor}
              </Tabs.Panel>
            </Tabs>
          )}
        </div>
      </ErrorsContext>
    </FrameContext>
  );
}

/** The errors about values that are still as they were when the errors came: one who mends a field need not read on that it is wrong. */
function useOpenErrors(errors: readonly FieldError[], read: Read): readonly FieldError[] {
  const value = read.ok ? read.value : undefined;
  const [judged, setJudged] = useState({ errors, value });
  if (judged.errors !== errors) setJudged({ errors, value });
  const before = judged.errors === errors ? judged.value : value;
  const open = errors.map((error) => sameAt(before, value, error.pointer));
  const key = open.join();
  // The list keeps its identity while the same errors stand, so that typing does not redraw every field.
  return useMemo(() => errors.filter((_, at) => key.split(",")[at] === "true"), [errors, key]);
}

function sameAt(a: JsonValue | undefined, b: JsonValue | undefined, pointer: string): boolean {
  const x = valueAt(a, pointer);
  const y = valueAt(b, pointer);
  if (x === y) return true;
  return x !== undefined && y !== undefined && sameJson(x, y);
}

function notAnObject(value: JsonValue): string {
  return `Arguments are an object in braces; this is a ${typeOf(value)}.`;
}

function FormPane({ plan, read, onShowJson, canShowJson }: { plan: Plan; read: Read; onShowJson: () => void; canShowJson: boolean }) {
  if (!read.ok || !isObject(read.value)) {
    const why = read.ok
      ? notAnObject(read.value)
      : `The JSON text has a mistake at line ${read.problem.line}, column ${read.problem.column}: ${read.problem.message}.`;
    return (
      <div className={classes["stack"]}>
        <div className={classes["error"]}>The form is not available. {why}</div>
        {canShowJson && (
          <div>
            <Button variant="default" size="xs" onClick={onShowJson}>
              Show the JSON text
            </Button>
          </div>
        )}
      </div>
    );
  }
  const { value } = read;
  const root = { schema: plan.doc.root, pointer: "", name: "Arguments", value, presence: "row", depth: 0, bare: true } as const;
  if (plan.root.kind === "object") return <Members field={root} node={plan.root} value={value} />;
  return <Field {...root} />;
}
