import type { LineState, ListView } from "../../api/types";
import { isOver, type StateWords, stateWords } from "../calls/words";

const PREFIX = "list:";

/** The item of the approvals screen that stands for a list. */
export function listItem(id: string): string {
  return PREFIX + id;
}

/** The list that an item stands for, or "". */
export function listOf(item: string): string {
  return item.startsWith(PREFIX) ? item.slice(PREFIX.length) : "";
}

export function lineWords(state: LineState): StateWords {
  if (state === "ready") return { word: "Not proposed yet", tone: "quiet" };
  if (state === "not_proposed") return { word: "Not proposed", tone: "bad" };
  return stateWords(state);
}

export function isDone(state: LineState): boolean {
  return state === "not_proposed" || (state !== "ready" && isOver(state));
}

export function countOf(list: ListView, wanted: (state: LineState) => boolean): number {
  return list.counts.reduce((sum, one) => (wanted(one.state) ? sum + one.count : sum), 0);
}

/** "1 line", "2 lines". */
export function lineCount(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "line" : "lines"}`;
}

/** How far a list is, in one line. */
export function listSummary(list: ListView): string {
  if (!list.started) return `${lineCount(list.lines)}, not started`;
  return `${countOf(list, isDone).toLocaleString("en")} of ${lineCount(list.lines)} done`;
}
