import { Button } from "@mantine/core";
import { Failure, Loading } from "../../components/ui";
import ui from "../../components/ui/ui.module.css";
import { useBackend } from "../../state/backend";
import { useResource } from "../../state/resource";
import type { Navigate } from "../../state/route";
import { CallBody } from "./CallBody";
import classes from "./calls.module.css";

export interface CallPaneProps {
  id: string;
  /** On approvals the call that was answered goes on in the card's place. */
  where: "approvals" | "history";
  onBack: () => void;
  onNavigate: Navigate;
}

/** One call, as it runs and after it. */
export function CallPane({ id, where, onBack, onNavigate }: CallPaneProps) {
  const backend = useBackend();
  const detail = useResource(`call ${id}`, () => backend.calls.detail(id), ["calls", "history", "approvals", "questions"], (change) => change.id === "" || change.id === id);
  if (detail.data !== undefined) return <CallBody detail={detail.data} where={where} onBack={onBack} onNavigate={onNavigate} />;
  if (detail.error === undefined) return <Loading label="Reading the call" />;
  return (
    <div className={`${ui["pane"] ?? ""} ${classes["pane"] ?? ""}`}>
      <Failure title="This call could not be read" message={`${detail.error.message} ${detail.error.hint}`.trim()} onRetry={detail.refresh} />
      <div className={classes["missing"]}>
        <Button variant="default" onClick={onBack}>
          Back to the list
        </Button>
      </div>
    </div>
  );
}
