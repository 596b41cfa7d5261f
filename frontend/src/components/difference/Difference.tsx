import { VisuallyHidden } from "@mantine/core";
import { Seen } from "../jsonview";
import classes from "./difference.module.css";

/** How something differs from what it was. */
export interface Differing {
  changes: readonly { pointer: string; kind: keyof typeof WORDS; before: string; after: string }[];
  /** Changes that are not listed. */
  more: number;
  /** Why nothing is listed, or "". */
  problem: string;
}

const WORDS = { added: "Added", removed: "Removed", changed: "Changed" } as const;

/** What changed, part by part, and nothing of what did not. */
export function Difference({ of }: { of: Differing }) {
  if (of.problem !== "") {
    return (
      <p className={classes["quiet"]}>
        <Seen text={of.problem} />
      </p>
    );
  }
  return (
    <ul className={classes["changes"]} aria-label="What changed">
      {of.changes.map((change, at) => (
        <li key={at} className={classes["change"]}>
          <span className={classes["where"]}>
            {WORDS[change.kind]}{" "}
            <code>
              <Seen text={change.pointer === "" ? "all of it" : change.pointer} />
            </code>
          </span>
          {change.kind !== "added" && <Side mark="−" what="Before" text={change.before} kind="before" />}
          {change.kind !== "removed" && <Side mark="+" what="After" text={change.after} kind="after" />}
        </li>
      ))}
      {of.more > 0 && <li className={classes["quiet"]}>and {of.more} more changes</li>}
    </ul>
  );
}

function Side({ mark, what, text, kind }: { mark: string; what: string; text: string; kind: "before" | "after" }) {
  return (
    <span className={classes["side"]} data-kind={kind}>
      <span aria-hidden>{mark}</span>
      <VisuallyHidden>{what}: </VisuallyHidden>
      <code>
        <Seen text={text} lines />
      </code>
    </span>
  );
}
