import { Checkbox, SegmentedControl, Select } from "@mantine/core";
import { useState } from "react";
import type { SettingsView, Theme } from "../../api/types";
import { CopyButton, Seen } from "../../components/jsonview";
import { Failure, Loading, Section } from "../../components/ui";
import { useBackend } from "../../state/backend";
import { useResource } from "../../state/resource";
import { useToasts } from "../../state/toasts";
import { useTriage } from "../../state/keys";
import { span } from "../../utils/time";
import classes from "./settings.module.css";

/** Deadlines to choose from, in seconds. */
const DEADLINES = [0, 60, 300, 900, 3_600, 14_400, 86_400];

/** What can be set, and where everything lives. */
export function SettingsScreen() {
  const backend = useBackend();
  const settings = useResource("settings", () => backend.settings.get(), ["settings", "calls"]);
  const { data, error } = settings;
  if (data === undefined) {
    if (error === undefined) return <Loading label="Reading the settings" />;
    return <Failure title="The settings could not be read" message={`${error.message} ${error.hint}`.trim()} onRetry={settings.refresh} />;
  }
  return (
    <div className={classes["scroll"]} tabIndex={0} role="region" aria-label="All settings">
      <h2 className={classes["title"]}>Settings</h2>
      <Choices settings={data} onSaved={settings.refresh} />
      <Section title="Where things are">
        <dl className={classes["facts"]}>
          <Fact name="Data folder" value={data.dataDir} copy />
          <Fact name="Secrets" value={data.keyring.persistent ? "in the system's keyring" : `held for this run only: ${data.keyring.reason}`} />
        </dl>
      </Section>
      <Section title="The record">
        <p className={classes["quiet"]}>Every event is added to a ledger and never changed. These two values stand for all of it as it is now.</p>
        <dl className={classes["facts"]}>
          <Fact name="Events" value={data.headSize.toLocaleString("en")} />
          <Fact name="Head" value={data.headRoot} copy mono />
        </dl>
      </Section>
      <Section title="This program">
        <dl className={classes["facts"]}>
          <Fact name="Countersign" value={data.version} />
        </dl>
      </Section>
    </div>
  );
}

function Choices({ settings, onSaved }: { settings: SettingsView; onSaved: () => void }) {
  const backend = useBackend();
  const { fail } = useToasts();
  const [triage, setTriage] = useTriage();
  // What was just chosen shows at once; the program's word replaces it.
  const [wanted, setWanted] = useState<{ theme: Theme; approvalDeadlineSeconds: number }>();
  const shown = wanted ?? settings;
  const set = async (part: Partial<{ theme: Theme; approvalDeadlineSeconds: number }>) => {
    const next = { theme: shown.theme, approvalDeadlineSeconds: shown.approvalDeadlineSeconds, ...part };
    setWanted(next);
    try {
      await backend.settings.set(next);
      onSaved();
    } catch (thrown) {
      fail(thrown);
    }
    setWanted(undefined);
  };
  const seconds = shown.approvalDeadlineSeconds;
  const choices = DEADLINES.includes(seconds) ? DEADLINES : [...DEADLINES, seconds].sort((a, b) => a - b);
  return (
    <Section title="How it works">
      <div className={classes["form"]}>
        <Select
          label="A card waits for your answer"
          description="Then it expires, which is not a no: the call can be proposed again. Holds for new cards."
          allowDeselect={false}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          data={choices.map((one) => ({ value: String(one), label: one === 0 ? "As long as it takes" : span(one) }))}
          value={String(seconds)}
          onChange={(next) => next !== null && void set({ approvalDeadlineSeconds: Number(next) })}
        />
        <Checkbox
          label="Single keys answer cards"
          description="On the approvals: J next, K previous, A approve, D deny, R deny with a reason, E edit, M make a rule. Never while you type, and not before a card has been on screen for a moment."
          checked={triage}
          onChange={(event) => setTriage(event.currentTarget.checked)}
        />
        <div>
          <div className={classes["label"]} id="settings-theme">
            Theme
          </div>
          <SegmentedControl
            aria-labelledby="settings-theme"
            value={shown.theme}
            transitionDuration={0}
            onChange={(theme) => void set({ theme })}
            data={[
              { value: "system", label: "As the system" },
              { value: "light", label: "Light" },
              { value: "dark", label: "Dark" },
            ]}
          />
        </div>
      </div>
    </Section>
  );
}

function Fact({ name, value, copy = false, mono = false }: { name: string; value: string; copy?: boolean; mono?: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={mono ? classes["mono"] : undefined}>
        <Seen text={value} /> {copy && <CopyButton text={() => value} />}
      </dd>
    </div>
  );
}
