import { Button } from "@mantine/core";
import { useState } from "react";
import type { RuleView } from "../../api/types";
import { Seen } from "../../components/jsonview";
import { BackButton, Section, Tone } from "../../components/ui";
import ui from "../../components/ui/ui.module.css";
import { useBackend } from "../../state/backend";
import type { Navigate } from "../../state/route";
import { useToasts } from "../../state/toasts";
import { exactly } from "../../utils/time";
import classes from "./rules.module.css";
import { aboutOf, EFFECTS, lifeOf, standing } from "./words";

export interface RulePaneProps {
  rule: RuleView;
  onBack: () => void;
  onEdit: () => void;
  onNavigate: Navigate;
}

/** One rule: what it says, how it stands, what it did. */
export function RulePane({ rule, onBack, onEdit, onNavigate }: RulePaneProps) {
  const { tone, word } = standing(rule);
  return (
    <div className={ui["pane"]}>
      <div className={ui["scroll"]} tabIndex={0} role="region" aria-label="The rule">
        <header className={classes["head"]}>
          <div className={classes["row"]}>
            <BackButton onBack={onBack} />
            <h2 className={classes["title"]}>
              <Seen text={rule.name} />
            </h2>
          </div>
          <div className={classes["row"]} role="status">
            <Tone tone={tone} word={word} />
            <span className={classes["quiet"]}>
              <Seen text={lifeOf(rule)} />
            </span>
          </div>
          {rule.foreign && <p className={classes["warning"]}>Countersign did not write this rule: another program can write into its database. It allows nothing, and calls that it speaks about ask.</p>}
          {(rule.ended !== "" || rule.stale !== "") && (
            <p className={classes["warning"]}>
              <Seen text={[rule.ended, rule.stale].filter((part) => part !== "").join(" ")} />
            </p>
          )}
          {!rule.revoked && !rule.foreign && <Actions rule={rule} onEdit={onEdit} />}
        </header>
        <Section title="What it says">
          <p>
            {EFFECTS[rule.effect]} <Seen text={aboutOf(rule)} />
            {rule.origin !== "" && rule.effect === "allow" && (rule.origin === "person" ? ", when you propose it in this window" : `, when it comes from a ${rule.origin}`)}:
          </p>
          <ul className={classes["says"]}>
            {rule.says.map((one, at) => (
              <li key={at}>
                <Seen text={one} />
              </li>
            ))}
          </ul>
          {rule.tools.length > 1 && (
            <p className={classes["quiet"]}>
              <Seen text={rule.tools.join(", ")} />
            </p>
          )}
        </Section>
        <Section title="What it did">
          <p>
            {rule.uses === 0 ? "It has not decided a call yet." : rule.uses === 1 ? "It decided 1 call." : `It decided ${rule.uses.toLocaleString("en")} calls.`}{" "}
            {rule.lastUse !== "" && (
              <Button variant="subtle" size="compact-sm" onClick={() => onNavigate("history", rule.lastUse)}>
                Show the last one
              </Button>
            )}
          </p>
          {rule.made !== "" && <p className={classes["quiet"]}>Made {exactly(rule.made)}.</p>}
        </Section>
      </div>
    </div>
  );
}

function Actions({ rule, onEdit }: { rule: RuleView; onEdit: () => void }) {
  const backend = useBackend();
  const { fail, show } = useToasts();
  const [busy, setBusy] = useState("");
  const act = async (what: string, go: () => Promise<void>) => {
    setBusy(what);
    try {
      await go();
    } catch (thrown) {
      fail(thrown);
    }
    setBusy("");
  };
  const revoke = async () => {
    await backend.rules.revoke(rule.id);
    show({ text: "The rule is revoked. What it did stays in the history." });
  };
  return (
    <div className={classes["row"]}>
      <Button size="xs" variant="default" loading={busy === "pause"} onClick={() => void act("pause", () => backend.rules.pause(rule.id, !rule.paused))}>
        {rule.paused ? "Let it speak again" : "Pause"}
      </Button>
      <Button size="xs" variant="default" onClick={onEdit}>
        Edit
      </Button>
      <Button size="xs" variant="default" loading={busy === "revoke"} onClick={() => void act("revoke", revoke)}>
        Revoke
      </Button>
    </div>
  );
}
