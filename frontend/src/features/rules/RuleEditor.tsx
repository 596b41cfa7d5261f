import { Button, Checkbox, NumberInput, Radio, SegmentedControl, TextInput } from "@mantine/core";
import { useState } from "react";
import { faultOf } from "../../api/errors";
import type { CallView, Effect, RuleDraft, RuleView } from "../../api/types";
import { Seen } from "../../components/jsonview";
import { Failure, Loading, Section } from "../../components/ui";
import ui from "../../components/ui/ui.module.css";
import { useBackend } from "../../state/backend";
import { useResource } from "../../state/resource";
import { Conditions } from "./Conditions";
import { Replay } from "./Replay";
import classes from "./rules.module.css";
import { LEVELS } from "./words";

/** Makes a rule from a call. onDone gets the id of what was made, "" for nothing. */
export function NewRule({ callId, onDone }: { callId: string; onDone: (id: string) => void }) {
  const backend = useBackend();
  const start = useResource(`rule from ${callId}`, () => backend.rules.draft(callId), []);
  if (start.data !== undefined) return <Editor initial={start.data} onDone={onDone} />;
  if (start.error === undefined) return <Loading label="Reading the call" />;
  return <Failure title="No rule can be made of this call" message={`${start.error.message} ${start.error.hint}`.trim()} onRetry={start.refresh} />;
}

export function EditRule({ rule, onDone }: { rule: RuleView; onDone: () => void }) {
  return <Editor initial={rule.draft} onDone={onDone} />;
}

const EFFECTS: { value: Effect; label: string }[] = [
  { value: "allow", label: "Allow" },
  { value: "ask", label: "Always ask" },
  { value: "deny", label: "Deny" },
];

function Editor({ initial, onDone }: { initial: RuleDraft; onDone: (id: string) => void }) {
  const backend = useBackend();
  const [draft, setDraft] = useState(initial);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const set = (part: Partial<RuleDraft>) => {
    setDraft({ ...draft, ...part });
    setProblem("");
  };
  const key = JSON.stringify(draft);
  const preview = useResource(`rule preview ${key}`, () => backend.rules.preview(draft), ["approvals", "tools"]);
  const waiting = preview.data?.waiting ?? NONE;
  const save = async () => {
    setBusy(true);
    setProblem("");
    try {
      const made = await backend.rules.save(draft, waiting.map((call) => call.id));
      onDone(made.id);
    } catch (thrown) {
      const { message, hint } = faultOf(thrown);
      setProblem(`${message} ${hint}`.trim());
      setBusy(false);
    }
  };
  const wrong = problem !== "" ? problem : (preview.data?.problem ?? "");
  return (
    <div className={ui["pane"]}>
      <div className={ui["scroll"]} tabIndex={0} role="region" aria-label="The rule that is made">
        <h2 className={classes["title"]}>{draft.id === "" ? "Remember an answer" : "Edit the rule"}</h2>
        <TextInput className={classes["field"]} label="Name" value={draft.name} maxLength={200} autoComplete="off" onChange={(event) => set({ name: event.currentTarget.value })} />
        <div>
          <SegmentedControl aria-label="What it does" transitionDuration={0} data={EFFECTS} value={draft.effect} onChange={(effect) => set({ effect: effect })} />
        </div>
        <Section title="About which calls">
          <Radio.Group aria-label="About which calls" value={draft.level} onChange={(level) => set({ level: level })}>
            <div className={classes["choices"]}>
              {LEVELS.filter(({ value }) => value !== "exact" || draft.callId !== "" || initial.level === "exact").map(({ value, label, hint }) => (
                <Radio key={value} value={value} label={label} description={hint} />
              ))}
            </div>
          </Radio.Group>
          {draft.level === "conditions" && <Conditions where={draft.where} anyValue={draft.anyValue} onChange={set} />}
          {(draft.level === "tool" || draft.level === "server") && draft.effect === "allow" && (
            <Checkbox label="Also tools that the server calls destructive" checked={draft.destructive} onChange={(event) => set({ destructive: event.currentTarget.checked })} />
          )}
        </Section>
        <Section title="For how long">
          <div className={classes["life"]}>
            <NumberInput label="Calls" description="0 is without limit" min={0} max={100_000} allowDecimal={false} value={draft.calls} onChange={(calls) => set({ calls: Number(calls) || 0 })} />
            <NumberInput label="Minutes" description="0 is without limit" min={0} max={44_640} allowDecimal={false} value={draft.minutes} onChange={(minutes) => set({ minutes: Number(minutes) || 0 })} />
            <Checkbox label="Only until Countersign is closed" checked={draft.untilQuit} onChange={(event) => set({ untilQuit: event.currentTarget.checked })} />
          </div>
        </Section>
        <Section title="What it says">
          <ul className={classes["says"]}>
            {(preview.data?.says ?? []).map((one, at) => (
              <li key={at}>
                <Seen text={one} />
              </li>
            ))}
          </ul>
          <Waiting calls={waiting} />
        </Section>
        <Replay key={key} draft={draft} ready={preview.data !== undefined && wrong === ""} />
      </div>
      <footer className={classes["bar"]}>
        <span className={classes["barWords"]} role="status" data-bad={wrong !== ""}>
          <Seen text={wrong === "" ? "It holds until you pause or revoke it, or its limits are reached." : wrong} />
        </span>
        <Button variant="default" onClick={() => onDone("")}>
          Leave it
        </Button>
        <Button disabled={wrong !== "" || preview.data === undefined} loading={busy} onClick={() => void save()}>
          Save rule
        </Button>
      </footer>
    </div>
  );
}

const NONE: readonly CallView[] = [];

/** The calls that saving decides at once. */
function Waiting({ calls }: { calls: readonly CallView[] }) {
  if (calls.length === 0) return <p className={classes["quiet"]}>No call that waits now is covered by it.</p>;
  return (
    <>
      <p>{calls.length === 1 ? "Saving it also decides this call that waits:" : `Saving it also decides these ${calls.length} calls that wait:`}</p>
      <ul className={classes["says"]}>
        {calls.map((call) => (
          <li key={call.id}>
            <Seen text={`${call.toolTitle === "" ? call.tool : call.toolTitle} on ${call.serverName}`} />
          </li>
        ))}
      </ul>
    </>
  );
}
