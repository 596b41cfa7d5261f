import { Button, Progress } from "@mantine/core";
import { useState } from "react";
import type { ReplayView, RuleDraft } from "../../api/types";
import { Seen } from "../../components/jsonview";
import { Section, Tone } from "../../components/ui";
import { useBackend } from "../../state/backend";
import { useResource } from "../../state/resource";
import { useToasts } from "../../state/toasts";
import { exactly } from "../../utils/time";
import { stateWords } from "../calls/words";
import classes from "./rules.module.css";

/** Holds a draft against the calls that were made so far. */
export function Replay({ draft, ready }: { draft: RuleDraft; ready: boolean }) {
  const backend = useBackend();
  const { fail } = useToasts();
  const [begun, setBegun] = useState(false);
  const go = () => {
    backend.rules.replay(draft).then(() => setBegun(true), fail);
  };
  return (
    <Section
      title="What it would have done so far"
      aside={
        <Button size="compact-sm" variant="default" disabled={!ready} onClick={go}>
          Try it on the history
        </Button>
      }
    >
      {begun ? <Found effect={draft.effect} /> : <p className={classes["quiet"]}>Nothing is sent by trying it.</p>}
    </Section>
  );
}

function Found({ effect }: { effect: RuleDraft["effect"] }) {
  const backend = useBackend();
  const found = useResource("replay", () => backend.rules.replayed(), ["rules"], (change) => change.id === "replay");
  const view = found.data;
  if (view === undefined) return null;
  return (
    <>
      {view.running && (
        <div className={classes["row"]}>
          <Progress className={classes["field"]} transitionDuration={0} value={view.total === 0 ? 0 : (100 * view.done) / view.total} aria-label="Trying it on the history" />
          <Button size="compact-xs" variant="default" onClick={() => void backend.rules.stopReplay()}>
            Stop
          </Button>
        </div>
      )}
      {view.problem !== "" && <Seen text={view.problem} />}
      <p role="status">{summary(view, effect)}</p>
      <ul className={classes["replayed"]}>
        {view.unusual.map((item) => {
          const { tone, word } = stateWords(item.call.state);
          return (
            <li key={item.call.id}>
              <span className={classes["row"]}>
                <Tone tone={tone} word={word} />
                <span className={classes["quiet"]}>{exactly(item.call.created)}</span>
                {item.why !== "" && (
                  <b>
                    <Seen text={item.why} />
                  </b>
                )}
              </span>
              <code className={classes["args"]}>
                <Seen text={item.args} />
              </code>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function summary({ done, matched, rest }: ReplayView, effect: RuleDraft["effect"]): string {
  const word = { allow: "allowed", ask: "asked about", deny: "denied" }[effect];
  if (done === 0) return "No call of this tool stands in the history.";
  return `Of ${done.toLocaleString("en")} calls it would have ${word} ${matched.toLocaleString("en")} by their arguments; ${rest.toLocaleString("en")} would have been none of its business.`;
}
