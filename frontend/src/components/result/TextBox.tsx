import { SegmentedControl } from "@mantine/core";
import { useMemo, useState } from "react";
import { isArray, isObject } from "../../utils/json";
import { parseJson } from "../../utils/jsonparse";
import { type Bytes, BytesBox, CopyButton, hasAnsi, JsonTree, type LoadBytes, stripAnsi, TextView } from "../jsonview";
import classes from "./result.module.css";

/** Text longer than this is not tried as JSON. */
const JSON_UP_TO = 2 << 20;

type Mode = "text" | "codes" | "tree";

/** A text as text: its lines, its terminal colours or their codes, and a tree where it happens to be JSON. */
export function TextBox({ bytes, load, label }: { bytes: Bytes; load: LoadBytes; label: string }) {
  if (bytes.handle !== "") return <BytesBox bytes={bytes} load={load} label={label} json={false} />;
  return <Inline text={bytes.text} label={label} />;
}

function Inline({ text, label }: { text: string; label: string }) {
  const [mode, setMode] = useState<Mode>("text");
  const ansi = useMemo(() => hasAnsi(text), [text]);
  const value = useMemo(() => {
    if (!/^\s*[[{]/.test(text) || text.length > JSON_UP_TO) return undefined;
    const read = parseJson(text, { keepDuplicates: true });
    return read.ok && (isObject(read.value) || isArray(read.value)) ? read.value : undefined;
  }, [text]);
  if (text === "") return <p className={classes["note"]}>An empty text.</p>;
  const modes = [
    { value: "text", label: ansi ? "Colours" : "Text" },
    ...(ansi ? [{ value: "codes", label: "Codes" }] : []),
    ...(value === undefined ? [] : [{ value: "tree", label: "Tree" }]),
  ];
  return (
    <div className={classes["block"]}>
      {mode === "tree" && value !== undefined ? <JsonTree value={value} label={label} /> : <TextView text={text} label={label} colors={ansi && mode === "text"} />}
      <div className={classes["bar"]}>
        {modes.length > 1 && (
          <SegmentedControl size="xs" aria-label={`How to show ${label}`} transitionDuration={0} value={mode} onChange={(next) => setMode(next as Mode)} data={modes} />
        )}
        <CopyButton label={ansi ? "Copy clean" : "Copy"} text={() => stripAnsi(text)} />
        {ansi && <CopyButton label="Copy with codes" text={() => text} />}
      </div>
    </div>
  );
}
