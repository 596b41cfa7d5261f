import type { CallState, CallView, ProgressView } from "../../api/types";

/** How a state reads, and in which tone. Amber needs the person, red failed, green is an outcome. */
export interface StateWords {
  word: string;
  tone: "need" | "bad" | "good" | "quiet" | "busy";
}

const WORDS: Record<CallState, StateWords> = {
  proposed: { word: "Proposed", tone: "need" },
  awaiting_approval: { word: "Needs approval", tone: "need" },
  approved: { word: "Approved", tone: "busy" },
  denied: { word: "Denied", tone: "quiet" },
  expired: { word: "Expired", tone: "quiet" },
  withdrawn: { word: "Withdrawn", tone: "quiet" },
  refused: { word: "Not let out", tone: "bad" },
  not_sent: { word: "Not sent", tone: "bad" },
  sent: { word: "Running", tone: "busy" },
  input_required: { word: "Asks you", tone: "need" },
  succeeded: { word: "Succeeded", tone: "good" },
  tool_failed: { word: "Tool failed", tone: "bad" },
  protocol_failed: { word: "Protocol error", tone: "bad" },
  cancelled: { word: "Cancelled", tone: "quiet" },
  timed_out: { word: "Timed out", tone: "bad" },
  lost: { word: "Outcome unknown", tone: "bad" },
  interrupted: { word: "Outcome unknown", tone: "bad" },
};

/** What a call is called: by the tool's title, its name, or what is read. */
export function titleOf({ method, tool, toolTitle }: Pick<CallView, "method" | "tool" | "toolTitle">): string {
  const name = toolTitle === "" ? tool : toolTitle;
  return method === "" ? name : `Resource: ${name}`;
}

export function stateWords(state: CallState): StateWords {
  return WORDS[state] ?? { word: state, tone: "quiet" };
}

/** The outcomes that history can be narrowed to. */
export const OUTCOMES: readonly { value: string; label: string; states: readonly CallState[] }[] = [
  { value: "succeeded", label: "Succeeded", states: ["succeeded"] },
  { value: "failed", label: "Failed", states: ["tool_failed", "protocol_failed", "timed_out", "refused", "not_sent"] },
  { value: "unknown", label: "Outcome unknown", states: ["lost", "interrupted"] },
  { value: "stopped", label: "Denied or stopped", states: ["denied", "expired", "withdrawn", "cancelled"] },
  { value: "open", label: "Still open", states: ["proposed", "awaiting_approval", "approved", "sent", "input_required"] },
];

export function isOver(state: CallState): boolean {
  return !["proposed", "awaiting_approval", "approved", "sent", "input_required"].includes(state);
}

export function isWaiting(state: CallState): boolean {
  return state === "proposed" || state === "awaiting_approval";
}

/** Where a call that was just proposed is looked at: a rule may have decided it already. */
export function placeOf({ state }: Pick<CallView, "state">): "approvals" | "history" {
  return isWaiting(state) ? "approvals" : "history";
}

/** Progress in words: "40 %, reading" or "12 done" or "running". */
export function progressWords(progress: ProgressView | null): string {
  if (progress === null) return "running";
  const amount = progress.total > 0 ? `${Math.round((100 * progress.progress) / progress.total)} %` : `${progress.progress} done`;
  return progress.message === "" ? amount : `${amount}, ${progress.message}`;
}
