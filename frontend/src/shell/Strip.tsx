import { Button, Progress } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useState } from "react";
import type { CallView } from "../api/types";
import { progressWords, titleOf } from "../features/calls/words";
import { useBackend } from "../state/backend";
import { useDesk } from "../state/desk";
import type { Navigate } from "../state/route";
import { useToasts } from "../state/toasts";
import { visibleText } from "../utils/visible";
import classes from "./shell.module.css";

/** What runs now, on every screen, and the way to stop everything from being sent. */
export function Strip({ onNavigate }: { onNavigate: Navigate }) {
  const backend = useBackend();
  const { hello, running } = useDesk();
  const { fail } = useToasts();
  const [busy, setBusy] = useState(false);
  const calls = running.data ?? [];
  const pause = () => {
    setBusy(true);
    backend.calls
      .pause(!hello.paused)
      .catch(fail)
      .finally(() => setBusy(false));
  };
  return (
    <section aria-label="Running calls" className={classes["strip"]} data-paused={hello.paused}>
      <div className={classes["stripCalls"]} {...(calls.length > 0 ? { tabIndex: 0, role: "group", "aria-label": "Calls now running" } : {})}>
        {calls.map((call) => (
          <RunningCall key={call.id} call={call} onOpen={() => onNavigate("history", call.id)} />
        ))}
        {calls.length === 0 && <span className={classes["quiet"]}>{hello.paused ? "" : running.error === undefined ? "Nothing is running." : `What runs could not be read: ${running.error.message}`}</span>}
        {hello.paused && <span className={classes["paused"]}>Paused: nothing is sent until you resume.</span>}
      </div>
      <Button
        size="compact-sm"
        variant="default"
        loading={busy}
        leftSection={hello.paused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />}
        onClick={pause}
      >
        {hello.paused ? "Resume" : "Pause everything"}
      </Button>
    </section>
  );
}

function RunningCall({ call, onOpen }: { call: CallView; onOpen: () => void }) {
  const backend = useBackend();
  const { fail } = useToasts();
  const [busy, setBusy] = useState(false);
  const name = visibleText(titleOf(call));
  const { progress } = call;
  const cancel = () => {
    setBusy(true);
    backend.calls
      .cancel(call.id)
      .catch(fail)
      .finally(() => setBusy(false));
  };
  const known = progress !== null && progress.total > 0;
  return (
    <div className={classes["running"]}>
      <button type="button" className={classes["runningName"]} title={visibleText(`${call.toolTitle} on ${call.serverName}`)} onClick={onOpen}>
        {name}
      </button>
      <span className={classes["quiet"]}>{call.state === "input_required" ? "asks you" : progressWords(progress)}</span>
      {known && <Progress className={classes["runningBar"]} size="sm" transitionDuration={0} value={(100 * progress.progress) / progress.total} aria-label={`Progress of ${name}`} />}
      <Button size="compact-xs" variant="default" loading={busy} aria-label={`Cancel ${name}`} onClick={cancel}>
        Cancel
      </Button>
    </div>
  );
}
