import { useState } from "react";
import type { JsonValue } from "../../utils/json";
import { parseJson } from "../../utils/jsonparse";
import { writeJson } from "../../utils/jsonwrite";
import { Seen } from "../jsonview/Seen";
import { Area } from "./Area";
import { type FieldProps, useFrame, useUnfinished } from "./context";
import { describedBy, FieldFrame, useFieldIds, useMessages } from "./FieldFrame";
import classes from "./form.module.css";
import type { FieldNode } from "./node";

interface Draft {
  text: string;
  /** The value that the form held when this was typed; another one makes the draft void. */
  base: JsonValue | undefined;
}

/** Any value as JSON, for what has no field of its own. The reason says why, "" where any value is welcome. */
export function JsonField({ field, node, reason }: { field: FieldProps; node: FieldNode; reason: string }) {
  const { store, readOnly } = useFrame();
  const { pointer, presence, value } = field;
  const ids = useFieldIds(pointer);
  const [, redraw] = useState(0);
  const kept = store.recall<Draft>(`draft:${pointer}`);
  const draft = kept !== undefined && kept.base === value ? kept : undefined;
  const text = draft?.text ?? (value === undefined ? "" : writeJson(value, 2));
  const unfinished = problemOf(text, presence);
  useUnfinished(pointer, unfinished);
  const messages = useMessages(pointer, unfinished);

  const change = (typed: string) => {
    const read = parseJson(typed);
    const empty = typed.trim() === "";
    const next = read.ok ? read.value : empty && presence !== "row" ? undefined : value;
    store.remember(`draft:${pointer}`, { text: typed, base: next } satisfies Draft);
    if (next !== value) store.update(pointer, next);
    redraw((n) => n + 1);
  };
  return (
    <FieldFrame
      field={field}
      node={node}
      messages={messages}
      note={reason === "" ? undefined : <div className={classes["note"]}>Edited as JSON: <Seen text={reason} /></div>}
    >
      <Area
        id={ids.input}
        value={text}
        readOnly={readOnly}
        error={messages.length > 0}
        onChange={(event) => change(event.currentTarget.value)}
        attributes={describedBy(ids.help)}
        aria-required={presence === "required"}
        placeholder={presence === "optional" ? "not set; any JSON" : 'JSON, for instance "text", 12 or {"key": true}'}
        classNames={{ input: classes["mono"] ?? "" }}
        spellCheck={false}
        least={1}
        most={14}
        size="xs"
      />
    </FieldFrame>
  );
}

function problemOf(text: string, presence: FieldProps["presence"]): string | undefined {
  if (text.trim() === "") return presence === "row" ? "A JSON value is needed here." : undefined;
  const read = parseJson(text);
  if (read.ok) return undefined;
  const { message, line, column } = read.problem;
  return `Line ${line}, column ${column}: ${message}.`;
}
