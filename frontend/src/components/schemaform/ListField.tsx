import { ActionIcon, Button } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconChevronDown, IconChevronRight, IconPlus, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { isArray, type JsonValue } from "../../utils/json";
import { child } from "../../utils/jsonpointer";
import { previewJson } from "../../utils/jsonwrite";
import { visibleText } from "../../utils/visible";
import { Seen } from "../jsonview/Seen";
import { useChunk } from "./chunk";
import { type FieldProps, useErrors, useFrame } from "./context";
import { describe } from "./describe";
import { fieldId } from "./errors";
import { Field } from "./Field";
import { focusSoon } from "./focus";
import classes from "./form.module.css";
import { GroupFrame, useOpen } from "./GroupFrame";
import { initialValue, rowValue } from "./initial";
import type { FieldNode, ListNode, TupleNode } from "./node";

/** Rows beyond this start folded. */
const OPEN_ROWS = 6;

export function ListField({ field, node }: { field: FieldProps; node: ListNode }) {
  const { store, doc, prefix, readOnly } = useFrame();
  const { pointer, value } = field;
  const items = isArray(value) ? value : [];
  const add = () => {
    store.update(pointer, [...items, rowValue(doc, node.items)]);
    focusSoon(fieldId(prefix, child(pointer, items.length)));
  };
  const make = () => {
    const start = initialValue(doc, field.schema);
    const rows = isArray(start) && start.length > 0 ? start : [rowValue(doc, node.items)];
    store.update(pointer, rows);
    focusSoon(fieldId(prefix, child(pointer, 0)));
  };
  return (
    <GroupFrame field={field} node={node} make={{ label: "Add", run: make }} count={countWord(items.length)}>
      <Rows field={field} items={items} schemaAt={() => node.items} fixed={0} />
      {!readOnly && items.length < node.maxItems && <AddButton run={add} />}
    </GroupFrame>
  );
}

/** A list whose first items have a schema each. */
export function TupleField({ field, node }: { field: FieldProps; node: TupleNode }) {
  const { store, doc, prefix, readOnly } = useFrame();
  const { pointer, value } = field;
  const items = isArray(value) ? value : [];
  const schemaAt = (at: number) => node.items[at] ?? node.rest;
  const add = () => {
    store.update(pointer, [...items, rowValue(doc, schemaAt(items.length))]);
    focusSoon(fieldId(prefix, child(pointer, items.length)));
  };
  const make = () => store.update(pointer, initialValue(doc, field.schema) ?? []);
  const more = items.length < node.items.length || node.rest !== false;
  return (
    <GroupFrame field={field} node={node} make={{ label: "Set", run: make }} count={countWord(items.length)}>
      <Rows field={field} items={items} schemaAt={schemaAt} fixed={node.items.length} />
      {!readOnly && more && <AddButton run={add} />}
    </GroupFrame>
  );
}

function countWord(count: number): string {
  return count === 1 ? "1 item" : `${count} items`;
}

function AddButton({ run }: { run: () => void }) {
  return (
    <div>
      <Button variant="default" size="compact-xs" leftSection={<IconPlus size={12} aria-hidden />} onClick={run}>
        Add an item
      </Button>
    </div>
  );
}

interface RowsProps {
  field: FieldProps;
  items: readonly JsonValue[];
  schemaAt: (at: number) => JsonValue;
  /** How many of the first rows keep their place. */
  fixed: number;
}

function Rows({ field, items, schemaAt, fixed }: RowsProps) {
  const { store, prefix } = useFrame();
  const { pointer } = field;
  const errors = useErrors();
  const ids = store.rows(pointer, items.length);
  const must = errors.within(pointer) ? items.findLastIndex((_, at) => errors.within(child(pointer, at))) : -1;
  const { shown, sentinel } = useChunk(items.length, must);
  const order = items.map((_, at) => at);
  const swap = (at: number, to: number) => {
    const next = order.slice();
    next[at] = to;
    next[to] = at;
    store.rearrange(pointer, next);
    const edge = to === fixed ? "down" : to === items.length - 1 ? "up" : at < to ? "down" : "up";
    focusSoon(`${fieldId(prefix, child(pointer, to))}-${edge}`);
  };
  const remove = (at: number) => {
    store.rearrange(pointer, order.filter((one) => one !== at));
    const next = Math.min(at, items.length - 2);
    focusSoon(next < 0 ? fieldId(prefix, pointer) : `${fieldId(prefix, child(pointer, next))}-remove`);
  };
  return (
    <div className={classes["rows"]}>
      {items.slice(0, shown).map((item, at) => (
        <Row
          key={ids[at]}
          field={field}
          at={at}
          item={item}
          schema={schemaAt(at)}
          placed={at < fixed}
          onUp={at > fixed ? () => swap(at, at - 1) : undefined}
          onDown={at >= fixed && at < items.length - 1 ? () => swap(at, at + 1) : undefined}
          onRemove={at >= fixed || at === items.length - 1 ? () => remove(at) : undefined}
        />
      ))}
      {shown < items.length && (
        <div ref={sentinel} className={classes["more"]}>
          {items.length - shown} more items
        </div>
      )}
    </div>
  );
}

interface RowProps {
  field: FieldProps;
  at: number;
  item: JsonValue;
  schema: JsonValue;
  placed: boolean;
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
  onRemove: (() => void) | undefined;
}

function Row({ field, at, item, schema, placed, onUp, onDown, onRemove }: RowProps) {
  const { doc, prefix, readOnly } = useFrame();
  const pointer = child(field.pointer, at);
  const node = describe(doc, schema);
  const large = isLarge(node);
  const [open, setOpen] = useOpen(pointer, at < OPEN_ROWS);
  // In a tuple each place has its own meaning, so its title is shown; in a list it would only repeat itself.
  const own = placed && node.title !== "";
  const name = own ? node.title : `${node.title === "" ? "Item" : node.title} ${at + 1}`;
  const spoken = visibleText(name);
  const id = fieldId(prefix, pointer);
  const still = onUp === undefined && onDown === undefined && onRemove === undefined;
  const tools = readOnly || still ? null : (
    <span className={classes["rowTools"]}>
      <Tool id={`${id}-up`} label={`Move ${spoken} up`} run={onUp} icon={<IconArrowUp size={14} aria-hidden />} />
      <Tool id={`${id}-down`} label={`Move ${spoken} down`} run={onDown} icon={<IconArrowDown size={14} aria-hidden />} />
      <Tool id={`${id}-remove`} label={`Remove ${spoken}`} run={onRemove} icon={<IconX size={14} aria-hidden />} />
    </span>
  );
  const inner = <Field schema={schema} pointer={pointer} name={name} value={item} presence="row" depth={field.depth + 1} bare={large || !own} />;
  if (!large) {
    return (
      <div className={classes["row"]}>
        <span className={classes["rowNumber"]}>{at + 1}</span>
        <div className={classes["grow"]}>{inner}</div>
        {tools}
      </div>
    );
  }
  return (
    <div className={classes["rowBox"]}>
      <div className={classes["labelRow"]}>
        <ActionIcon variant="subtle" color="gray" size={20} aria-label={`${open ? "Fold" : "Unfold"} ${spoken}`} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
        </ActionIcon>
        <span className={classes["label"]}><Seen text={name} /></span>
        {!open && <code className={classes["preview"]}>{visibleText(previewJson(item, 80))}</code>}
        {tools}
      </div>
      {open && inner}
    </div>
  );
}

function isLarge(node: FieldNode): boolean {
  return node.kind === "object" || node.kind === "list" || node.kind === "tuple" || node.kind === "variant";
}

function Tool({ id, label, run, icon }: { id: string; label: string; run: (() => void) | undefined; icon: ReactNode }) {
  return (
    <ActionIcon id={id} className={classes["tool"]} variant="subtle" color="gray" size={22} aria-label={label} disabled={run === undefined} onClick={run}>
      {icon}
    </ActionIcon>
  );
}
