import { Checkbox, Group, MultiSelect, Radio, Select } from "@mantine/core";
import { isArray, type JsonValue } from "../../utils/json";
import { sameJson } from "../../utils/jsonequal";
import { previewJson } from "../../utils/jsonwrite";
import { visibleText } from "../../utils/visible";
import { type FieldProps, useFrame, useUnfinished } from "./context";
import { describedBy, FieldFrame, useFieldIds, useMessages } from "./FieldFrame";
import classes from "./form.module.css";
import type { BooleanNode, Choice, ChoiceNode, ConstNode, ListNode } from "./node";

/** Up to this many short choices are laid out to be seen at once. */
const FEW = 4;
const FEW_LETTERS = 48;
const SEARCH_FROM = 9;
/** Options mounted at a time in an open list; the search finds the rest. */
const SHOWN = 100;

interface Option {
  value: string;
  label: string;
  detail: string;
}

function optionsOf(choices: readonly Choice[]): Option[] {
  return choices.map((choice, at) => ({ value: String(at), label: visibleText(choice.label), detail: visibleText(choice.detail) }));
}

function renderOption({ option }: { option: { value: string; label: string } }) {
  const { label, detail } = option as Option;
  return (
    <span>
      {label}
      {detail !== "" && <code className={classes["optionDetail"]}>{detail}</code>}
    </span>
  );
}

function countHint(choices: readonly Choice[]): string[] {
  return choices.length > SHOWN ? [`${choices.length} choices; type to narrow them`] : [];
}

export function ChoiceField({ field, node }: { field: FieldProps; node: ChoiceNode }) {
  const { store, readOnly } = useFrame();
  const { pointer, presence, value } = field;
  const ids = useFieldIds(pointer);
  const at = value === undefined ? -1 : node.choices.findIndex((choice) => sameJson(choice.value, value));
  const unmade = value === null && at < 0 ? "Choose one." : undefined;
  useUnfinished(pointer, unmade);
  const messages = useMessages(pointer, unmade);
  const pick = (key: string | null) => {
    const choice = key === null ? undefined : node.choices[Number(key)];
    if (choice !== undefined || presence !== "row") store.update(pointer, choice?.value);
  };
  const letters = node.choices.reduce((sum, choice) => sum + choice.label.length, 0);
  if (node.choices.length <= FEW && letters <= FEW_LETTERS) {
    const options = optionsOf(node.choices).map((option) => ({ ...option, label: option.label === '""' ? "empty text" : option.label }));
    if (presence === "optional") options.unshift({ value: "unset", label: "Not set", detail: "" });
    const picked = value === undefined && presence === "optional" ? "unset" : at < 0 ? "" : String(at);
    return (
      <FieldFrame field={field} node={node} messages={messages} single={false}>
        <Radios ids={ids} options={options} value={picked} disabled={readOnly} required={presence === "required"} onPick={(key) => pick(key === "unset" ? null : key)} />
      </FieldFrame>
    );
  }
  return (
    <FieldFrame field={field} node={{ ...node, hints: [...node.hints, ...countHint(node.choices)] }} messages={messages}>
      <Select
        id={ids.input}
        data={optionsOf(node.choices)}
        value={at < 0 ? null : String(at)}
        onChange={pick}
        renderOption={renderOption}
        searchable={node.choices.length >= SEARCH_FROM}
        limit={SHOWN}
        clearable={presence === "optional"}
        clearButtonProps={{ "aria-label": "Leave out" }}
        allowDeselect={false}
        nothingFoundMessage="No choice matches"
        placeholder={presence === "optional" ? "not set" : "choose one"}
        readOnly={readOnly}
        error={messages.length > 0}
        attributes={describedBy(ids.help)}
        aria-required={presence === "required"}
        aria-labelledby={ids.label}
        comboboxProps={{ transitionProps: { duration: 0 } }}
        size="xs"
      />
    </FieldFrame>
  );
}

interface RadiosProps {
  ids: { input: string; label: string; help: string };
  options: readonly Option[];
  value: string;
  disabled: boolean;
  required: boolean;
  onPick: (value: string) => void;
}

function Radios({ ids, options, value, disabled, required, onPick }: RadiosProps) {
  return (
    <div id={ids.input} role="radiogroup" aria-labelledby={ids.label} aria-describedby={ids.help} aria-required={required} className={classes["radios"]}>
      {options.map((option) => (
        <Radio
          key={option.value}
          size="xs"
          name={ids.input}
          value={option.value}
          checked={option.value === value}
          disabled={disabled}
          onChange={() => onPick(option.value)}
          label={
            <>
              {option.label}
              {option.detail !== "" && <code className={classes["optionDetail"]}>{option.detail}</code>}
            </>
          }
        />
      ))}
    </div>
  );
}

/** Yes, no, and where it is allowed neither. */
export function BooleanField({ field, node }: { field: FieldProps; node: BooleanNode }) {
  const { store, readOnly } = useFrame();
  const { pointer, presence, value } = field;
  const ids = useFieldIds(pointer);
  const unmade = value === null && !node.nullable ? "Choose yes or no." : undefined;
  useUnfinished(pointer, unmade);
  const messages = useMessages(pointer, unmade);
  const options: Option[] = [
    ...(presence === "optional" ? [{ value: "unset", label: "Not set", detail: "" }] : []),
    { value: "true", label: "Yes", detail: "" },
    { value: "false", label: "No", detail: "" },
    ...(node.nullable ? [{ value: "null", label: "Null", detail: "" }] : []),
  ];
  const picked = value === undefined ? "unset" : value === null ? (node.nullable ? "null" : "") : value === true ? "true" : "false";
  const pick = (key: string) => store.update(pointer, key === "unset" ? undefined : key === "null" ? null : key === "true");
  return (
    <FieldFrame field={field} node={node} messages={messages} single={false}>
      <Radios ids={ids} options={options} value={picked} disabled={readOnly} required={presence === "required"} onPick={pick} />
    </FieldFrame>
  );
}

/** A value that the schema fixes: there to be seen, and to be left out where that is allowed. */
export function ConstField({ field, node }: { field: FieldProps; node: ConstNode }) {
  const { store, readOnly } = useFrame();
  const { pointer, presence, value } = field;
  const ids = useFieldIds(pointer);
  const messages = useMessages(pointer);
  const fixed = visibleText(previewJson(node.value, 200));
  return (
    <FieldFrame field={field} node={node} messages={messages} single={false}>
      <div id={ids.input} tabIndex={-1} role="group" aria-labelledby={ids.label} aria-describedby={ids.help}>
        {presence === "row" ? (
          <code className={classes["fixed"]}>{fixed}</code>
        ) : (
          <Checkbox
            size="xs"
            checked={value !== undefined}
            disabled={readOnly}
            label={<>Send <code className={classes["fixed"]}>{fixed}</code></>}
            onChange={(event) => store.update(pointer, event.currentTarget.checked ? node.value : undefined)}
          />
        )}
      </div>
    </FieldFrame>
  );
}

/** Whether a list is best shown as a set of choices to tick. */
export function isMultiChoice(value: JsonValue | undefined, choices: readonly Choice[]): boolean {
  if (value === undefined) return true;
  if (!isArray(value)) return false;
  const found = value.map((item) => choices.findIndex((choice) => sameJson(choice.value, item)));
  return !found.includes(-1) && new Set(found).size === found.length;
}

/** A list whose items are some of a set of choices, each at most once. */
export function MultiChoiceField({ field, node, choices }: { field: FieldProps; node: ListNode; choices: readonly Choice[] }) {
  const { store, readOnly } = useFrame();
  const { pointer, presence, value } = field;
  const ids = useFieldIds(pointer);
  const messages = useMessages(pointer);
  const picked = isArray(value) ? value.map((item) => String(choices.findIndex((choice) => sameJson(choice.value, item)))) : [];
  const pick = (keys: string[]) => {
    const items = keys.flatMap((key) => choices[Number(key)] ?? []).map((choice) => choice.value);
    store.update(pointer, items.length === 0 && presence === "optional" ? undefined : items);
  };
  const options = optionsOf(choices);
  return (
    <FieldFrame field={field} node={node} messages={messages} single={options.length >= SEARCH_FROM}>
      {options.length < SEARCH_FROM ? (
        <Checkbox.Group value={picked} onChange={pick} id={ids.input} tabIndex={-1} aria-labelledby={ids.label} aria-describedby={ids.help}>
          <Group gap="sm">
            {options.map((option) => (
              <Checkbox key={option.value} size="xs" value={option.value} label={option.label} disabled={readOnly} />
            ))}
          </Group>
        </Checkbox.Group>
      ) : (
        <MultiSelect
          id={ids.input}
          data={options}
          value={picked}
          onChange={pick}
          renderOption={renderOption}
          searchable
          limit={SHOWN}
          readOnly={readOnly}
          error={messages.length > 0}
          attributes={describedBy(ids.help)}
          aria-labelledby={ids.label}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          nothingFoundMessage="No choice matches"
          size="xs"
        />
      )}
    </FieldFrame>
  );
}
