import { Button, TextInput } from "@mantine/core";
import { type ClipboardEvent, useLayoutEffect, useRef } from "react";
import { hasHidden, visibleText } from "../../utils/visible";
import { Seen } from "../jsonview/Seen";
import { Area } from "./Area";
import { type FieldProps, useFrame } from "./context";
import { describedBy, FieldFrame, useFieldIds, useMessages } from "./FieldFrame";
import classes from "./form.module.css";
import type { TextNode } from "./node";
import { completeDateTime, localDate, localDateTime } from "./times";

/** A text. One line, or several where the schema or the value says so. */
export function TextField({ field, node }: { field: FieldProps; node: TextNode }) {
  const { store, readOnly } = useFrame();
  const { pointer, presence, value } = field;
  const ids = useFieldIds(pointer);
  const messages = useMessages(pointer);
  const text = typeof value === "string" ? value : "";
  const long = node.long || text.includes("\n");
  const caret = useCaret(long);

  const change = (typed: string) => {
    const leaveOut = typed === "" && (presence === "optional" || (presence === "required" && !node.mayBeEmpty));
    store.update(pointer, leaveOut ? undefined : typed);
  };
  const complete = () => {
    const whole = node.format === "date-time" ? completeDateTime(text) : text;
    if (whole !== text) change(whole);
  };
  const common = {
    id: ids.input,
    value: text,
    readOnly,
    error: messages.length > 0,
    attributes: describedBy(ids.help),
    "aria-required": presence === "required",
    placeholder: placeholderOf(field),
    spellCheck: false,
    autoComplete: "off",
    size: "xs",
  } as const;
  return (
    <FieldFrame field={field} node={node} messages={messages} note={hasHidden(text) ? <HiddenNote text={text} /> : undefined}>
      {long ? (
        <Area {...common} ref={caret.area} least={node.long ? 2 : 1} most={14} onChange={(event) => change(event.currentTarget.value)} />
      ) : (
        <div className={classes["inputRow"]}>
          <TextInput
            {...common}
            className={classes["grow"]}
            type={node.format === "email" ? "email" : "text"}
            onChange={(event) => change(event.currentTarget.value)}
            onBlur={complete}
            onPaste={(event) => caret.paste(event, text, change)}
          />
          {!readOnly && <NowButton format={node.format} onPick={change} name={node.title || field.name} />}
        </div>
      )}
    </FieldFrame>
  );
}

function placeholderOf({ value, presence }: FieldProps): string {
  if (value === null) return "null";
  if (value === "") return presence === "required" ? "" : "empty text";
  return value === undefined && presence === "optional" ? "not set" : "";
}

function HiddenNote({ text }: { text: string }) {
  return (
    <div className={classes["note"]}>
      Holds characters that cannot be seen: <Seen text={text} lines />
    </div>
  );
}

function NowButton({ format, onPick, name }: { format: string; onPick: (text: string) => void; name: string }) {
  const pick = format === "date" ? localDate : format === "date-time" ? localDateTime : undefined;
  if (pick === undefined) return null;
  const word = format === "date" ? "Today" : "Now";
  return (
    <Button variant="default" size="xs" aria-label={`${word} for ${visibleText(name)}`} onClick={() => onPick(pick(new Date()))}>
      {word}
    </Button>
  );
}

/**
 * A one-line box drops the line breaks of what is pasted into it. Here the
 * pasted text goes into the value whole, the box becomes a larger one, and the
 * caret stays behind the pasted text.
 */
function useCaret(long: boolean) {
  const area = useRef<HTMLTextAreaElement>(null);
  const wanted = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (!long || wanted.current === undefined) return;
    area.current?.focus();
    area.current?.setSelectionRange(wanted.current, wanted.current);
    wanted.current = undefined;
  }, [long]);
  const paste = (event: ClipboardEvent<HTMLInputElement>, text: string, change: (next: string) => void) => {
    const pasted = event.clipboardData.getData("text/plain").replaceAll("\r\n", "\n");
    if (!pasted.includes("\n") || event.currentTarget.readOnly) return;
    event.preventDefault();
    const start = event.currentTarget.selectionStart ?? text.length;
    const end = event.currentTarget.selectionEnd ?? start;
    wanted.current = start + pasted.length;
    change(text.slice(0, start) + pasted + text.slice(end));
  };
  return { area, paste };
}
