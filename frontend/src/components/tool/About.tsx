import { Button } from "@mantine/core";
import { useState } from "react";
import { visibleText } from "../../utils/visible";
import { Seen } from "../jsonview";
import classes from "./tool.module.css";

/** Descriptions longer than this, or of more lines than two, start folded. */
const FOLD_FROM = 160;

/** What a server says that its tool does. Wants its text as key, so that another text starts folded again. */
export function Description({ text, otherwise = "" }: { text: string; otherwise?: string }) {
  const long = text.length > FOLD_FROM || text.split("\n").length > 2;
  const [open, setOpen] = useState(!long);
  if (text === "") return otherwise === "" ? null : <p className={classes["quiet"]}>{otherwise}</p>;
  return (
    <div>
      <p className={classes["description"]} data-folded={!open}>
        <Seen text={text} lines />
      </p>
      {long && (
        <Button variant="subtle" color="gray" size="compact-xs" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Less" : "More"}
        </Button>
      )}
    </div>
  );
}

/** A tool's annotations, as the claims of its server that they are. */
export function Claims({ of }: { of: readonly { label: string; claim: string }[] }) {
  if (of.length === 0) return null;
  return (
    <p className={classes["quiet"]}>
      Server says:{" "}
      {of.map((annotation, at) => (
        <span key={at} title={visibleText(annotation.claim)}>
          {at > 0 && ", "}
          <em>
            <Seen text={annotation.label} />
          </em>
        </span>
      ))}
    </p>
  );
}
