import { Button } from "@mantine/core";
import { useState } from "react";
import type { ToolDetail } from "../../../api/types";
import { Difference } from "../../../components/difference";
import { useArmed } from "../../../state/armed";
import classes from "./tools.module.css";

const WORDS = {
  new: "Nobody has reviewed this tool's definition yet. No rule allows calls of it before.",
  changed: "The definition changed since you reviewed it. No rule allows calls of it before you have looked at the change.",
  held: "The definition changed three times within a minute, so the tool is on hold. Look at what it is now; reviewing it takes it off hold.",
} as const;

/** What is to be looked at of a definition, and the way to say that it was. */
export function Review({ detail, onReviewed }: { detail: ToolDetail; onReviewed: () => Promise<void> }) {
  const { summary, redefined } = detail;
  const armed = useArmed(summary.definitionHash);
  const [busy, setBusy] = useState(false);
  if (summary.change === "") return null;
  const review = async () => {
    setBusy(true);
    await onReviewed();
    setBusy(false);
  };
  return (
    <section aria-label="Review of the definition" className={classes["review"]}>
      <p>{WORDS[summary.change]}</p>
      {redefined !== null && <Difference of={redefined} />}
      <div>
        <Button size="xs" variant="default" disabled={!armed} loading={busy} onClick={() => void review()}>
          I have reviewed this definition
        </Button>
      </div>
    </section>
  );
}
