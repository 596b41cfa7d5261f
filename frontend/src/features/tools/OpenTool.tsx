import { Button, Loader } from "@mantine/core";
import { faultOf } from "../../api/errors";
import { useBackend } from "../../state/backend";
import { usePersisted } from "../../state/persisted";
import { useResource } from "../../state/resource";
import { type Navigate, useWhileHere } from "../../state/route";
import { useToasts } from "../../state/toasts";
import { placeOf } from "../calls/words";
import { type Proposed, ToolPage } from "./parts/ToolPage";
import classes from "./parts/tools.module.css";
import { toolKey } from "./rows";

export interface OpenToolProps {
  serverId: string;
  name: string;
  onNavigate: Navigate;
  onBack: () => void;
  now: Date;
}

/** The page of one tool, with its draft of arguments and the way to propose. */
export function OpenTool({ serverId, name, onNavigate, onBack, now }: OpenToolProps) {
  const backend = useBackend();
  const key = toolKey(serverId, name);
  const detail = useResource(`tool ${key}`, () => backend.tools.get(serverId, name), ["tools", "servers"], (change) => change.id === "" || change.id === serverId);
  const [draft, setDraft] = usePersisted<string>(`draft:${key}`, "");
  const follow = useWhileHere(onNavigate);
  const { fail } = useToasts();

  const propose = async (argsText: string, limitSeconds: number): Promise<Proposed> => {
    try {
      const errors = detail.data?.schemaProblem === "" ? await backend.tools.validate(serverId, name, argsText) : [];
      if (errors.length > 0) return { kind: "errors", errors };
      const result = await backend.calls.propose({ serverId, tool: name, argsText, parentId: "", limitSeconds });
      if (result.errors.length > 0) return { kind: "errors", errors: result.errors };
      if (result.call !== null) follow(placeOf(result.call), result.call.id);
      return { kind: "done" };
    } catch (thrown) {
      const fault = faultOf(thrown);
      return { kind: "failed", message: `${fault.message} ${fault.hint}`.trim() };
    }
  };
  const shown = detail.data;
  const review = async () => {
    if (shown === undefined) return;
    try {
      await backend.tools.review(serverId, [{ name: shown.summary.name, definition: shown.summary.definitionHash }]);
    } catch (thrown) {
      fail(thrown);
      detail.refresh();
    }
  };
  if (shown === undefined) {
    return (
      <div className={`${classes["page"] ?? ""} ${classes["empty"] ?? ""}`}>
        {detail.error === undefined ? (
          <Loader size="sm" aria-label="Reading the tool" />
        ) : (
          <>
            <p role="alert">{`${detail.error.message} ${detail.error.hint}`}</p>
            <Button variant="default" size="xs" onClick={onBack}>
              Back to the list
            </Button>
          </>
        )}
      </div>
    );
  }
  return <ToolPage detail={shown} onReviewed={review} draft={typeof draft === "string" ? draft : ""} onDraft={setDraft} propose={propose} onBack={onBack} now={now} />;
}
