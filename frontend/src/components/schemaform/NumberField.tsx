import { TextInput } from "@mantine/core";
import { useState } from "react";
import { isNumber, type JsonValue } from "../../utils/json";
import { readTypedNumber } from "../../utils/jsonnumber";
import { type FieldProps, useFrame, useUnfinished } from "./context";
import { describedBy, FieldFrame, useFieldIds, useMessages } from "./FieldFrame";
import type { NumberNode } from "./node";

function textOf(value: JsonValue | undefined): string {
  if (isNumber(value)) return value.text;
  return typeof value === "string" ? value : "";
}

/**
 * A number, kept as its digits and never computed with. What is typed and is
 * not (yet) a number stands in the value as that text, so that it is lost
 * nowhere; it marks the form as unfinished.
 */
export function NumberField({ field, node }: { field: FieldProps; node: NumberNode }) {
  const { store, readOnly } = useFrame();
  const { pointer, presence, value } = field;
  const ids = useFieldIds(pointer);
  const [typing, setTyping] = useState<{ typed: string; made: string } | null>(null);
  const [focused, setFocused] = useState(false);
  const unfinished = unfinishedReason(value, node.integer);
  useUnfinished(pointer, unfinished);
  const messages = useMessages(pointer, focused ? undefined : unfinished);

  const current = textOf(value);
  const shown = typing !== null && typing.made === current ? typing.typed : current;
  const change = (typed: string) => {
    if (typed.trim() === "" && presence !== "row") {
      setTyping({ typed, made: "" });
      store.update(pointer, undefined);
      return;
    }
    const read = readTypedNumber(typed, node.integer);
    const next = read.ok ? read.value : typed;
    setTyping({ typed, made: textOf(next) });
    store.update(pointer, next);
  };
  return (
    <FieldFrame field={field} node={node} messages={messages}>
      <TextInput
        id={ids.input}
        value={shown}
        readOnly={readOnly}
        error={messages.length > 0}
        inputMode={node.integer ? "numeric" : "decimal"}
        attributes={describedBy(ids.help)}
        aria-required={presence === "required"}
        placeholder={value === null ? "null" : value === undefined && presence === "optional" ? "not set" : ""}
        autoComplete="off"
        size="xs"
        onChange={(event) => change(event.currentTarget.value)}
        onFocus={() => setFocused(true)}
        onBlur={() => {
          setFocused(false);
          setTyping(null);
        }}
      />
    </FieldFrame>
  );
}

function unfinishedReason(value: JsonValue | undefined, integer: boolean): string | undefined {
  if (typeof value !== "string") return undefined;
  const read = readTypedNumber(value, integer);
  return read.ok ? `The value is the text "${value}", not a number. Type it again.` : read.reason;
}
