import { ActionIcon, Button } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { visibleText } from "../../utils/visible";
import { type FieldProps, useErrors, useFrame } from "./context";
import { type Act, ActsMenu, FieldHelp, FieldKey, FieldLabel, stateWord, useActs, useFieldIds } from "./FieldFrame";
import classes from "./form.module.css";
import type { FieldNode } from "./node";

/** Groups nested deeper than this start folded. */
const OPEN_TO = 3;

/** Whether a group is open: as the person left it, and always when something inside it is wrong. */
export function useOpen(pointer: string, atFirst: boolean): [boolean, (open: boolean) => void] {
  const { store } = useFrame();
  const [, redraw] = useState(0);
  const wrong = useErrors().within(pointer);
  const open = wrong || (store.recall<boolean>(`open:${pointer}`) ?? atFirst);
  const set = (next: boolean) => {
    store.remember(`open:${pointer}`, next);
    redraw((n) => n + 1);
  };
  return [open, set];
}

export interface GroupFrameProps {
  field: FieldProps;
  node: FieldNode;
  /** Shown behind the name, for instance "3 items". */
  count?: string;
  /** What makes a value where there is none. */
  make?: Act;
  /** For a group at the place of a field inside it, which has the plain id. */
  idSuffix?: string;
  children: ReactNode;
}

/** A field made of fields: its name, what it is about, and its parts below, set off by a line. */
export function GroupFrame({ field, node, count = "", make, idSuffix = "", children }: GroupFrameProps) {
  const { pointer, presence, value, depth, bare } = field;
  const ids = useFieldIds(pointer, idSuffix);
  const acts = useActs(field, node);
  const found = useErrors().at(pointer);
  const messages = idSuffix === "" || value === undefined || value === null ? found : [];
  const name = node.title === "" ? field.name : node.title;
  const present = value !== undefined && value !== null;
  const [open, setOpen] = useOpen(pointer, depth < OPEN_TO);
  const { readOnly } = useFrame();
  const word = value === undefined ? "not set" : stateWord(value, node.kind);
  if (bare === true) {
    return (
      <div id={ids.input} tabIndex={-1} role="group" aria-label={visibleText(name)} className={classes["bareGroup"]}>
        {messages.length > 0 && <FieldHelp id={ids.help} node={{ description: "", hints: [] }} messages={messages} />}
        {acts.length > 0 && (
          <span className={classes["acts"]}>
            <ActsMenu acts={acts} label={name} />
          </span>
        )}
        {present ? children : make !== undefined && !readOnly && <MakeButton make={make} name={name} />}
      </div>
    );
  }
  return (
    <div id={ids.input} tabIndex={-1} role="group" aria-labelledby={ids.label} aria-describedby={ids.help} className={classes["group"]}>
      <div className={classes["labelRow"]}>
        {present && (
          <ActionIcon variant="subtle" color="gray" size={20} aria-label={`${open ? "Fold" : "Unfold"} ${visibleText(name)}`} aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
          </ActionIcon>
        )}
        <FieldLabel id={ids.label} name={name} required={presence === "required"} />
        <FieldKey name={name} field={field} />
        {(word !== "" || count !== "") && <span className={classes["state"]}>{word !== "" ? word : count}</span>}
        <span className={classes["acts"]}>
          {!present && make !== undefined && !readOnly && <MakeButton make={make} name={name} />}
          <ActsMenu acts={acts} label={name} />
        </span>
      </div>
      <FieldHelp id={ids.help} node={node} messages={messages} />
      {present && open && <div className={classes["nested"]}>{children}</div>}
    </div>
  );
}

function MakeButton({ make, name }: { make: Act; name: string }) {
  return (
    <Button variant="default" size="compact-xs" aria-label={`${make.label} for ${visibleText(name)}`} onClick={make.run}>
      {make.label}
    </Button>
  );
}
