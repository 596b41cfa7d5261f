import { Button } from "@mantine/core";
import { useState } from "react";
import type { CallDetail, CallView } from "../../api/types";
import { Seen } from "../../components/jsonview";
import { type Block, ResultView } from "../../components/result";
import { Tone } from "../../components/ui";
import { useArmed } from "../../state/armed";
import { useBackend } from "../../state/backend";
import { useDesk } from "../../state/desk";
import { useResource } from "../../state/resource";
import type { Navigate } from "../../state/route";
import { useToasts } from "../../state/toasts";
import classes from "./calls.module.css";
import { isOver, progressWords, stateWords } from "./words";

export interface LinkReadProps {
  detail: CallDetail;
  block: Block;
  onNavigate: Navigate;
}

/** Below a link of a result: reads it from its server when the person says so, and shows what came. */
export function LinkRead({ detail, block, onNavigate }: LinkReadProps) {
  const backend = useBackend();
  const { fail } = useToasts();
  const [busy, setBusy] = useState(false);
  const armed = useArmed(block.uri);
  const newest = detail.reads.find((one) => one.tool === block.uri);
  const read = () => {
    setBusy(true);
    backend.calls
      .read(detail.call.id, block.index)
      .catch(fail)
      .finally(() => setBusy(false));
  };
  const running = newest !== undefined && !isOver(newest.state);
  return (
    <div className={classes["read"]}>
      {!running && (
        <div className={classes["row"]}>
          <Button variant="default" size="compact-xs" disabled={!armed || detail.unreadable !== ""} loading={busy} onClick={read}>
            {newest === undefined ? "Read from the server" : "Read again"}
          </Button>
          <span className={classes["quiet"]}>
            <Seen text={detail.unreadable !== "" ? detail.unreadable : detail.readNote !== "" ? detail.readNote : newest === undefined ? "Nothing was opened." : ""} />
          </span>
        </div>
      )}
      {newest !== undefined && <ReadState key={newest.id} call={newest} onNavigate={onNavigate} />}
    </div>
  );
}

function ReadState({ call, onNavigate }: { call: CallView; onNavigate: Navigate }) {
  const backend = useBackend();
  const { running, questions } = useDesk();
  const { fail } = useToasts();
  const { tone, word } = stateWords(call.state);
  const asks = questions.data?.some((one) => one.callId === call.id) === true;
  const progress = running.data?.find((one) => one.id === call.id)?.progress ?? call.progress;
  return (
    <>
      <div className={classes["row"]} role="status">
        <Tone tone={tone} word={word} />
        {!isOver(call.state) && <span className={classes["quiet"]}>{asks ? "The server asks you something first." : progressWords(progress)}</span>}
        {asks && (
          <Button size="compact-xs" variant="default" onClick={() => onNavigate("approvals", call.id)}>
            Answer it
          </Button>
        )}
        {isOver(call.state) ? (
          <Button size="compact-xs" variant="subtle" onClick={() => onNavigate("history", call.id)}>
            Show in history
          </Button>
        ) : (
          <Button size="compact-xs" variant="default" onClick={() => void backend.calls.cancel(call.id).catch(fail)}>
            Cancel
          </Button>
        )}
      </div>
      {isOver(call.state) && <Contents call={call} />}
    </>
  );
}

/** JSON-RPC codes by which servers say that there is no such resource. */
const NOT_FOUND = [-32602, -32002];

function Contents({ call }: { call: CallView }) {
  const backend = useBackend();
  const detail = useResource(`read ${call.id} ${call.state}`, () => backend.calls.detail(call.id), []);
  const result = detail.data?.result ?? null;
  if (detail.error !== undefined) return <p className={classes["quiet"]}>{detail.error.message}</p>;
  if (detail.data === undefined) return null;
  if (result === null) {
    return (
      <p className={classes["quiet"]}>
        <Seen text={call.summary} />
      </p>
    );
  }
  return (
    <>
      {result.error !== null && NOT_FOUND.includes(result.error.code) && <p className={classes["quiet"]}>The server says that it has no such resource.</p>}
      <ResultView result={result} load={backend.payload} />
    </>
  );
}
