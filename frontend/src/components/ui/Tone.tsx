import { IconAlertCircle, IconCheck, IconMinus, IconPlayerPlay, IconX } from "@tabler/icons-react";
import classes from "./ui.module.css";

export type ToneName = "need" | "bad" | "good" | "quiet" | "busy";

const SIGNS = { need: IconAlertCircle, bad: IconX, good: IconCheck, quiet: IconMinus, busy: IconPlayerPlay };

/** A state as a sign and a word; the colour only repeats them. */
export function Tone({ tone, word }: { tone: ToneName; word: string }) {
  const Sign = SIGNS[tone];
  return (
    <span className={classes["tone"]} data-tone={tone}>
      <Sign size={14} stroke={2} aria-hidden />
      {word}
    </span>
  );
}
