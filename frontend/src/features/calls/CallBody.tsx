import { Button, Progress } from "@mantine/core";
import { useState } from "react";
import type { CallDetail } from "../../api/types";
import { BytesBox, JsonView, Seen } from "../../components/jsonview";
import { ResultView } from "../../components/result";
import { ToolIcon } from "../../components/tool";
import { BackButton, Section, Tone } from "../../components/ui";
import ui from "../../components/ui/ui.module.css";
import { useBackend } from "../../state/backend";
import { useDesk } from "../../state/desk";
import { type Navigate, useWhileHere } from "../../state/route";
import { useToasts } from "../../state/toasts";
import { lasting } from "../../utils/time";
import classes from "./calls.module.css";
import { Facts, Timeline } from "./Facts";
import { LinkRead } from "./LinkRead";
import { isOver, isWaiting, placeOf, progressWords, stateWords, titleOf } from "./words";

export interface CallBodyProps {
  detail: CallDetail;
  where: "approvals" | "history";
  onBack: () => void;
  onNavigate: Navigate;
}

/** A call with its result, its arguments, who decided what, and everything that happened. */
export function CallBody(props: CallBodyProps) {
  const { detail, where } = props;
  const backend = useBackend();
  const { call, result } = detail;
  const over = isOver(call.state);
  return (
    <div className={`${ui["pane"] ?? ""} ${classes["pane"] ?? ""}`}>
      <div className={ui["scroll"]} tabIndex={0} role="region" aria-label="The call">
        <Head {...props} />
        {!over && <Live {...props} />}
        {over && call.summary !== "" && (
          <p className={classes["summary"]}>
            <Seen text={call.summary} lines />
          </p>
        )}
        {result !== null && (
          <Section title="Result" aside={call.durationMs >= 0 && <span className={classes["quiet"]}>after {lasting(call.durationMs)}</span>}>
            <ResultView
              key={call.updated}
              result={result}
              load={backend.payload}
              link={(block) => <LinkRead key={block.index} detail={detail} block={block} onNavigate={props.onNavigate} />}
            />
          </Section>
        )}
        <Section title="Arguments">
          <BytesBox key={detail.argsHash} bytes={detail.args} load={backend.payload} label="The arguments of the call" start="lines" />
        </Section>
        <Facts detail={detail} onNavigate={props.onNavigate} />
        <Timeline items={detail.timeline} start={where === "history"} />
        {detail.definition !== "" && <Definition text={detail.definition} />}
      </div>
    </div>
  );
}

function Head({ detail, where, onBack, onNavigate }: CallBodyProps) {
  const { call } = detail;
  const title = titleOf(call);
  const { tone, word } = stateWords(call.state);
  return (
    <header className={classes["head"]}>
      <div className={classes["headRow"]}>
        <BackButton onBack={onBack} />
        <ToolIcon icon={call.icon} name={title} hue={call.hue} size={36} />
        <div className={classes["titles"]}>
          <h2 className={classes["title"]}>
            <Seen text={title} />
          </h2>
          <p className={classes["quiet"]}>
            <code>
              <Seen text={call.tool} />
            </code>{" "}
            on <Seen text={call.serverName} />
            {detail.serverGone && ", which was removed"}
          </p>
        </div>
      </div>
      <div className={classes["row"]} role="status">
        <Tone tone={tone} word={word} />
        {call.masked > 0 && <span className={classes["quiet"]}>A secret is masked in {call.masked} places of the arguments.</span>}
      </div>
      <Actions detail={detail} where={where} onNavigate={onNavigate} />
    </header>
  );
}

function Actions({ detail, where, onNavigate }: Omit<CallBodyProps, "onBack">) {
  const backend = useBackend();
  const { fail, show } = useToasts();
  const [busy, setBusy] = useState(false);
  const follow = useWhileHere(onNavigate);
  const { call } = detail;
  const again = async () => {
    setBusy(true);
    try {
      const made = await backend.calls.again(call.id);
      if (made.call !== null) follow(placeOf(made.call), made.call.id);
      else show({ text: made.errors.map((one) => one.message).join(" "), bad: true });
    } catch (thrown) {
      fail(thrown);
    }
    setBusy(false);
  };
  return (
    <div className={classes["row"]}>
      {isOver(call.state) && call.method === "" && (
        <Button variant="default" size="xs" loading={busy} disabled={detail.serverGone} title="Proposes it anew; it needs your approval again" onClick={() => void again()}>
          Run again
        </Button>
      )}
      {where === "approvals" && (
        <Button variant="default" size="xs" onClick={() => onNavigate("history", call.id)}>
          Show in history
        </Button>
      )}
      {where === "history" && (isWaiting(call.state) || call.state === "input_required") && (
        <Button variant="default" size="xs" onClick={() => onNavigate("approvals", call.id)}>
          Go to approvals
        </Button>
      )}
    </div>
  );
}

/** What a call that is not over does now. */
function Live({ detail, onNavigate, where }: CallBodyProps) {
  const backend = useBackend();
  const { running, questions } = useDesk();
  const { fail } = useToasts();
  const [busy, setBusy] = useState(false);
  const { call } = detail;
  const progress = running.data?.find((one) => one.id === call.id)?.progress ?? call.progress;
  const asks = questions.data?.some((question) => question.callId === call.id) === true;
  const stop = () => {
    setBusy(true);
    (isWaiting(call.state) ? backend.calls.withdraw(call.id) : backend.calls.cancel(call.id)).catch(fail).finally(() => setBusy(false));
  };
  const words = isWaiting(call.state) ? "It waits for your approval; nothing was sent." : call.state === "input_required" ? "The server asks you something before it goes on." : progressWords(progress);
  return (
    <div className={classes["live"]}>
      <p>
        <Seen text={words} />
      </p>
      {progress !== null && progress.total > 0 && <Progress size="md" transitionDuration={0} value={(100 * progress.progress) / progress.total} aria-label="Progress of the call" />}
      <div className={classes["row"]}>
        {asks && where === "history" && (
          <Button size="xs" variant="default" onClick={() => onNavigate("approvals", call.id)}>
            Answer it
          </Button>
        )}
        <Button size="xs" variant="default" loading={busy} onClick={stop}>
          {isWaiting(call.state) ? "Withdraw" : "Cancel"}
        </Button>
      </div>
    </div>
  );
}

function Definition({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className={classes["folded"]}>
      <summary>The tool&apos;s definition as it was then</summary>
      {open && <JsonView text={text} label="The definition" />}
    </details>
  );
}
