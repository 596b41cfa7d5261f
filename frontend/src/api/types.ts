/** The types that cross the bridge, as package app declares them. Times are RFC 3339 text, "" for none; JSON payloads are text. */
import type { ServerView, Var } from "./types.servers";

export type * from "./types.lists";
export type * from "./types.rules";
export type * from "./types.servers";

export type Theme = "system" | "light" | "dark";
/** What is to be reviewed of a definition: nothing, it is new, it changed since, or it changes all the time. */
export type ToolChange = "" | "new" | "changed" | "held";
export type Freshness = "live" | "cached" | "stale" | "none";

export type CallState =
  | "proposed"
  | "awaiting_approval"
  | "approved"
  | "denied"
  | "expired"
  | "withdrawn"
  | "refused"
  | "not_sent"
  | "sent"
  | "input_required"
  | "succeeded"
  | "tool_failed"
  | "protocol_failed"
  | "cancelled"
  | "timed_out"
  | "lost"
  | "interrupted";

/** Hello is what the page needs first. */
export interface Hello {
  version: string;
  dataDir: string;
  keyring: KeyringView;
  paused: boolean;
  notices: Notice[];
  /** key to JSON text, as the page saved it */
  uiState: Record<string, string>;
}

/** KeyringView tells where secrets are kept. */
export interface KeyringView {
  persistent: boolean;
  /** why not, for a person */
  reason: string;
}

/** Notice is something that a person must know and no call reports. */
export interface Notice {
  id: string;
  /** "info", "warning" or "error" */
  level: "info" | "warning" | "error";
  text: string;
  hint: string;
}

/** SettingsView is the settings with what they stand beside. */
export interface SettingsView {
  /** 0 means none */
  approvalDeadlineSeconds: number;
  /** "system", "light" or "dark" */
  theme: Theme;
  dataDir: string;
  version: string;
  keyring: KeyringView;
  /** events in the ledger */
  headSize: number;
  /** hex root of its Merkle tree */
  headRoot: string;
}

/** SettingsChange is what can be set. */
export interface SettingsChange {
  approvalDeadlineSeconds: number;
  theme: Theme;
}

/** ToolSummary is one row of the tool list. */
export interface ToolSummary {
  serverId: string;
  name: string;
  title: string;
  description: string;
  icon: string;
  annotations: Annotation[];
  /** why it cannot be called, or "" */
  hidden: string;
  /** what is wrong with its definition, or "" */
  problem: string;
  definitionHash: string;
  change: ToolChange;
}

/** Annotation is a claim that the server makes of its tool. */
export interface Annotation {
  label: string;
  claim: string;
}

/** ToolGroup is a server with its tools. */
export interface ToolGroup {
  server: ServerView;
  /** "live", "cached", "stale" or "none" */
  freshness: Freshness;
  received: string;
  warnings: string[];
  tools: ToolSummary[];
  /** items of the list that could not be read */
  problems: string[];
}

/** ToolDetail is one tool's page. */
export interface ToolDetail {
  summary: ToolSummary;
  server: ServerView;
  freshness: Freshness;
  received: string;
  inputSchema: string;
  outputSchema: string;
  raw: string;
  schemaProblem: string;
  findings: FindingView[];
  /** When a definition of it was reviewed last, or "". */
  reviewed: string;
  /** How it differs from what was reviewed. */
  redefined: DifferenceView | null;
}

/** FindingView is what a scan found in a definition or in arguments. */
export interface FindingView {
  kind: string;
  pointer: string;
  /** in the member's name, not in its value */
  name: boolean;
  piece: string;
  says: string;
  /** in the tool's definition, not in the arguments */
  definition: boolean;
}

/** FieldError is a fault in a value, at the JSON Pointer of its field. */
export interface FieldError {
  pointer: string;
  message: string;
}

/** ProgressView is the newest progress of a running call. */
export interface ProgressView {
  progress: number;
  /** -1 when unknown */
  total: number;
  message: string;
}

/** CallView is one row of the history. */
export interface CallView {
  id: string;
  ordinal: number;
  state: CallState;
  origin: string;
  serverId: string;
  serverName: string;
  /** "resources/read", or "" for a tool call. */
  method: "" | "resources/read";
  /** For a read its URI. */
  tool: string;
  toolTitle: string;
  icon: string;
  hue: number;
  created: string;
  updated: string;
  decidedAt: string;
  sentAt: string;
  finishedAt: string;
  revision: number;
  progress: ProgressView | null;
  summary: string;
  /** from send to end; -1 when unknown */
  durationMs: number;
  argsBytes: number;
  resultBytes: number;
  isError: boolean;
  decision: string;
  /** places masked in the kept arguments */
  masked: number;
}

/** ProposeRequest asks for a call. */
export interface ProposeRequest {
  serverId: string;
  tool: string;
  argsText: string;
  parentId: string;
  /** How long the answer is waited for at most; 0 is as the server is set up. */
  limitSeconds: number;
}

/** ProposeResult is a card, or the faults that kept it from being made. */
export interface ProposeResult {
  call: CallView | null;
  errors: FieldError[];
}

/** BytesView is kept bytes: whole when they are small, else a beginning and a handle to fetch them by. */
export interface BytesView {
  text: string;
  size: number;
  handle: string;
  masked: number;
}

/** BlockView is one content block of a result. */
export interface BlockView {
  index: number;
  type: string;
  text: BytesView | null;
  /** of the decoded binary, or "" */
  handle: string;
  mime: string;
  sniffed: string;
  uri: string;
  name: string;
  title: string;
  description: string;
  size: number;
  audience: string[];
  /** JSON text, cut at 64 KiB */
  raw: string;
  problem: string;
}

/** RPCErrorView is a JSON-RPC error as the server sent it. */
export interface RPCErrorView {
  code: number;
  message: string;
  data: string;
}

/** ResultView is a result laid out for looking at it. */
export interface ResultView {
  blocks: BlockView[];
  structured: BytesView | null;
  isError: boolean;
  notes: string[];
  raw: BytesView;
  schemaErrors: FieldError[];
  error: RPCErrorView | null;
}

/** TimelineItem is one event of a call, in words and as kept. */
export interface TimelineItem {
  seq: number;
  time: string;
  kind: string;
  title: string;
  detail: string;
}

/** DecisionView is who allowed or denied a call. */
export interface DecisionView {
  verdict: string;
  reason: string;
  /** "person" or "rule" */
  by: string;
  /** the rule's name as it was then */
  rule: string;
  at: string;
  /** time on screen before the answer */
  shownMs: number;
}

/** CallDetail is everything about one call. */
export interface CallDetail {
  call: CallView;
  args: BytesView;
  result: ResultView | null;
  timeline: TimelineItem[];
  decision: DecisionView | null;
  definition: string;
  serverGone: boolean;
  parentId: string;
  argsHash: string;
  /** What was read of the links in the result, newest first. */
  reads: CallView[];
  /** Why its links cannot be read now, or "". */
  unreadable: string;
  /** What to know before reading, or "". */
  readNote: string;
}

/** HistoryFilter chooses calls; empty fields choose all. */
export interface HistoryFilter {
  serverId: string;
  tool: string;
  states: CallState[];
  text: string;
  /** ordinal; 0 starts at the newest */
  before: number;
  limit: number;
}

/** HistoryPage is calls, newest first. */
export interface HistoryPage {
  calls: CallView[];
  more: boolean;
  total: number;
}

/** OriginView tells who asks, and whether that is proven or only claimed. */
export interface OriginView {
  kind: string;
  text: string;
  proven: boolean;
}

/** CardView is an approval card. */
export interface CardView {
  call: CallView;
  revision: number;
  /** of the arguments; an answer must echo it */
  hash: string;
  args: BytesView;
  server: ServerView;
  toolTitle: string;
  toolDescription: string;
  annotations: Annotation[];
  origin: OriginView;
  inputSchema: string;
  deadline: string;
  /** Of what date the definition is, where it could not be checked since; "" when it was. */
  unchecked: string;
  notes: string[];
  schemaErrors: FieldError[];
  /** arguments that also travel as HTTP headers */
  headers: Var[];
  findings: FindingView[];
  /** How the definition differs from that of the call that this one repeats, else of the last approved one. */
  redefined: DifferenceView | null;
  /** How the arguments differ from those of the last approved call. */
  rearranged: DifferenceView | null;
  /** The rules' part in its asking, a sentence, or "". */
  why: string;
  /** Of the definition since its review, as in ToolSummary. */
  change: ToolChange;
}

/** How something differs from what it was. */
export interface DifferenceView {
  /** What it is compared with, a clause. */
  since: string;
  callId: string;
  at: string;
  changes: ChangeView[];
  /** Changes that are not listed. */
  more: number;
  /** Why nothing is listed, or "". */
  problem: string;
}

/** One part that differs, as JSON text before and after. */
export interface ChangeView {
  pointer: string;
  kind: "added" | "removed" | "changed";
  before: string;
  after: string;
}

/** DecideRequest is a person's answer to a card. */
export interface DecideRequest {
  callId: string;
  revision: number;
  hash: string;
  approve: boolean;
  reason: string;
}

/** QuestionView is what a server asks of the person. */
export interface QuestionView {
  id: string;
  callId: string;
  serverId: string;
  serverName: string;
  toolTitle: string;
  icon: string;
  hue: number;
  /** "resume" is a question of our own: whether to ask the server again after a restart. */
  mode: "form" | "url" | "resume";
  message: string;
  schema: string;
  url: string;
  host: string;
  urlWarning: string;
  /** why it cannot be answered, or "" */
  problem: string;
  created: string;
  round: number;
  index: number;
  of: number;
  /** further running calls it may belong to */
  otherCalls: number;
  /** this very address was opened before in this call */
  opened: boolean;
}

/** AnswerRequest is a person's answer to a question. */
export interface AnswerRequest {
  id: string;
  /** "accept", "decline" or "cancel" */
  action: "accept" | "decline" | "cancel";
  contentText: string;
}

/** A fault for a person: what happened, and what to do. */
export interface AppError {
  code: "invalid" | "not_found" | "conflict" | "refused" | "unavailable" | "internal" | "token";
  message: string;
  hint: string;
  /** Also in the program's log; "" but for faults of our own. */
  id: string;
}

export type Topic = "servers" | "tools" | "approvals" | "questions" | "calls" | "history" | "settings" | "progress" | "log" | "lists" | "rules";

/** Something changed; the page fetches what. */
export interface Change {
  seq: number;
  topic: Topic;
  id: string;
}
