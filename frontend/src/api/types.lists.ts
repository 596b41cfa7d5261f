import type { CallState } from "./types";

/** The state of a line of a call list: that of its call, or one of a line that has none. */
export type LineState = CallState | "ready" | "not_proposed";

/** An open call list. */
export interface ListView {
  /** "" where the person chose no file. */
  id: string;
  name: string;
  format: "jsonl" | "csv";
  lines: number;
  /** Lines that cannot be used as they are. */
  faults: number;
  /** Of a CSV: the names of the arguments. */
  columns: string[];
  started: boolean;
  /** What was chosen for a CSV. */
  serverId: string;
  tool: string;
  atOnce: number;
  /** 0: none. */
  deadlineSeconds: number;
  counts: ListCount[];
  /** Why no more lines are proposed, or "". */
  problem: string;
}

export interface ListCount {
  state: LineState;
  count: number;
}

export interface ListLine {
  /** In the file, from 1. */
  line: number;
  /** The file's own name for the line, or "". */
  id: string;
  serverName: string;
  tool: string;
  state: LineState;
  callId: string;
  /** Why it ended so, or was not proposed. */
  reason: string;
}

export interface ListPage {
  list: ListView;
  /** Index of the first line. */
  from: number;
  lines: ListLine[];
}

export interface StartRequest {
  serverId: string;
  tool: string;
  atOnce: number;
  deadlineSeconds: number;
}
