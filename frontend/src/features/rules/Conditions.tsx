import { ActionIcon, Button, Select, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { Op, RuleCondition, RuleDraft } from "../../api/types";
import classes from "./rules.module.css";
import { OPS } from "./words";

const ANY = "any";
const BELOW: ("input" | "description")[] = ["input", "description"];

export interface ConditionsProps {
  where: readonly RuleCondition[];
  anyValue: readonly string[];
  onChange: (part: Pick<RuleDraft, "where" | "anyValue">) => void;
}

/** One row for each argument that the rule names: its condition, or that its value does not matter. */
export function Conditions({ where, anyValue, onChange }: ConditionsProps) {
  const put = (at: number, next: RuleCondition) => onChange({ where: where.map((one, i) => (i === at ? next : one)), anyValue: [...anyValue] });
  const drop = (at: number) => onChange({ where: where.filter((_, i) => i !== at), anyValue: [...anyValue] });
  const toAny = (at: number) => onChange({ where: where.filter((_, i) => i !== at), anyValue: [...anyValue, where[at]?.path ?? ""] });
  const setAny = (at: number, path: string) => onChange({ where: [...where], anyValue: anyValue.map((one, i) => (i === at ? path : one)) });
  const dropAny = (at: number) => onChange({ where: [...where], anyValue: anyValue.filter((_, i) => i !== at) });
  const toOp = (at: number, op: Op) =>
    onChange({ where: [...where, condition(anyValue[at] ?? "", op)], anyValue: anyValue.filter((_, i) => i !== at) });
  return (
    <div className={classes["conditions"]} role="group" aria-label="Conditions">
      {where.map((one, at) => (
        <div key={at} className={classes["condition"]}>
          <TextInput aria-label={`Argument ${at + 1}`} value={one.path} onChange={(event) => put(at, { ...one, path: event.currentTarget.value })} />
          <Choice label={`Condition ${at + 1}`} value={one.op} onChange={(op) => (op === ANY ? toAny(at) : put(at, { ...condition(one.path, op), values: keepValues(one, op) }))} />
          <Operand one={one} at={at} onChange={(next) => put(at, next)} />
          <ActionIcon variant="subtle" color="gray" aria-label={`Remove condition ${at + 1}`} onClick={() => drop(at)}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {anyValue.map((path, at) => (
        <div key={`any ${at}`} className={classes["condition"]}>
          <TextInput aria-label={`Argument of any value ${at + 1}`} value={path} onChange={(event) => setAny(at, event.currentTarget.value)} />
          <Choice label={`Condition of ${path}`} value={ANY} onChange={(op) => op !== ANY && toOp(at, op)} />
          <span className={classes["quiet"]}>Its value does not matter.</span>
          <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${path}`} onClick={() => dropAny(at)}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button size="compact-sm" variant="default" onClick={() => onChange({ where: [...where, condition("/", "equals")], anyValue: [...anyValue] })}>
          Add a condition
        </Button>
      </div>
    </div>
  );
}

function condition(path: string, op: Op): RuleCondition {
  return { path, op, values: op === "equals" || op === "one_of" ? ['""'] : [], text: "", hosts: [], min: "", max: "" };
}

function keepValues(one: RuleCondition, op: Op): string[] {
  return op === "equals" ? one.values.slice(0, 1) : op === "one_of" ? one.values : [];
}

function Choice({ label, value, onChange }: { label: string; value: Op | typeof ANY; onChange: (next: Op | typeof ANY) => void }) {
  return (
    <Select
      aria-label={label}
      allowDeselect={false}
      comboboxProps={{ transitionProps: { duration: 0 } }}
      data={[...OPS, { value: ANY, label: "may be anything" }]}
      value={value}
      onChange={(next) => next !== null && onChange(next)}
    />
  );
}

function Operand({ one, at, onChange }: { one: RuleCondition; at: number; onChange: (next: RuleCondition) => void }) {
  const label = `Value of condition ${at + 1}`;
  switch (one.op) {
    case "equals":
      return <TextInput aria-label={label} description="JSON" inputWrapperOrder={BELOW} value={one.values[0] ?? ""} onChange={(event) => onChange({ ...one, values: [event.currentTarget.value] })} />;
    case "one_of":
      return <TextInput aria-label={label} description="JSON values, one after another" inputWrapperOrder={BELOW} value={one.values.join(" ")} onChange={(event) => onChange({ ...one, values: splitJson(event.currentTarget.value) })} />;
    case "prefix":
      return <TextInput aria-label={label} value={one.text} onChange={(event) => onChange({ ...one, text: event.currentTarget.value })} />;
    case "glob":
      return <TextInput aria-label={label} description="* within a folder, ** across folders" inputWrapperOrder={BELOW} value={one.text} onChange={(event) => onChange({ ...one, text: event.currentTarget.value })} />;
    case "url_host":
      return <TextInput aria-label={label} description="Hosts; *.example.com is all below" inputWrapperOrder={BELOW} value={one.hosts.join(" ")} onChange={(event) => onChange({ ...one, hosts: event.currentTarget.value.split(/[\s,]+/).filter((host) => host !== "") })} />;
    case "number":
    case "length":
      return (
        <span className={classes["range"]}>
          <TextInput aria-label={`${label}, at least`} placeholder="from" value={one.min} onChange={(event) => onChange({ ...one, min: event.currentTarget.value.trim() })} />
          <TextInput aria-label={`${label}, at most`} placeholder="to" value={one.max} onChange={(event) => onChange({ ...one, max: event.currentTarget.value.trim() })} />
        </span>
      );
    case "absent":
      return <span />;
  }
}

/** Texts in quotes stay whole; anything else is split at spaces. */
export function splitJson(text: string): string[] {
  return text.match(/"(?:[^"\\]|\\.)*"?|[^\s,]+/g) ?? [];
}
