import { ActionIcon, Button, Menu, TextInput } from "@mantine/core";
import { IconChevronUp } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { faultOf } from "../../api/errors";
import type { CardView } from "../../api/types";
import { Seen } from "../../components/jsonview";
import { useBackend } from "../../state/backend";
import { useDesk } from "../../state/desk";
import { span } from "../../utils/time";
import classes from "./approvals.module.css";
import { useKeys, useTriage } from "../../state/keys";
import type { Shown } from "./useShown";

const PRESETS = ["The arguments are wrong.", "Not this tool.", "Not now.", "Not needed any more."];
/** Bytes that the back end takes. */
const LONGEST = 1_000;

/** Deny and Approve, far apart and of equal weight. Neither ever has the focus by itself. */
export function AnswerBar({ card, shown }: { card: CardView; shown: Shown }) {
  const backend = useBackend();
  const { hello, cards } = useDesk();
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState<"" | "approve" | "deny">("");
  const [problem, setProblem] = useState("");
  const decide = async (approve: boolean) => {
    setBusy(approve ? "approve" : "deny");
    setProblem("");
    try {
      await backend.approvals.decide({ callId: card.call.id, revision: card.revision, hash: card.hash, approve, reason: approve ? "" : reason.trim() });
      cards.refresh();
    } catch (thrown) {
      const { message, hint } = faultOf(thrown);
      setProblem(`${message} ${hint}`.trim());
      setBusy("");
    }
  };
  const [triage] = useTriage();
  const reasonBox = useRef<HTMLInputElement>(null);
  useKeys(triage && shown.ready && busy === "", {
    a: () => void decide(true),
    d: () => void decide(false),
    r: () => reasonBox.current?.focus(),
  });
  const words = problem !== "" ? problem : shown.problem !== "" ? shown.problem : hello.paused ? "Everything is paused: resume before you approve." : "";
  return (
    <footer className={classes["bar"]}>
      <div className={classes["barWords"]} role="status" data-bad={problem !== ""}>
        <Seen text={words} />
      </div>
      {card.deadline !== "" && <Deadline at={card.deadline} />}
      <div className={classes["answers"]}>
        <Button className={classes["answer"]} variant="outline" disabled={!shown.ready || busy === "approve"} loading={busy === "deny"} onClick={() => void decide(false)}>
          Deny
        </Button>
        <TextInput
          ref={reasonBox}
          className={classes["reason"]}
          aria-label="Reason for denying (optional)"
          placeholder="Reason for denying (optional)"
          value={reason}
          maxLength={LONGEST}
          autoComplete="off"
          onChange={(event) => setReason(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !triage || !shown.ready || busy !== "" || event.repeat) return;
            event.preventDefault();
            void decide(false);
          }}
          rightSection={<Presets onPick={setReason} />}
        />
        <Button className={classes["answer"]} variant="outline" disabled={!shown.ready || busy === "deny"} loading={busy === "approve"} onClick={() => void decide(true)}>
          Approve
        </Button>
      </div>
    </footer>
  );
}

function Presets({ onPick }: { onPick: (text: string) => void }) {
  return (
    <Menu position="top-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label="Usual answers">
          <IconChevronUp size={14} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {PRESETS.map((preset) => (
          <Menu.Item key={preset} onClick={() => onPick(preset)}>
            {preset}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** How long the card still waits. */
function Deadline({ at }: { at: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, Math.ceil((Date.parse(at) - now) / 1000));
  return (
    <div className={classes["deadline"]} data-soon={left <= 60} role="timer">
      {left > 0 ? `Expires in ${span(left)}` : "Expired"}
    </div>
  );
}
