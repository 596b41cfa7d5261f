/** The types of servers that cross the bridge; the rest stands in types.ts. */

/** ServerView is one row of the server list. */
export interface ServerView {
  id: string;
  name: string;
  /** "stdio", "http" or "builtin" */
  kind: "stdio" | "http" | "builtin";
  enabled: boolean;
  /** of the supervisor */
  state: "stopped" | "starting" | "running" | "attention" | "stopping";
  reason: string;
  hint: string;
  code: string;
  since: string;
  era: "" | "modern" | "legacy";
  version: string;
  /** what the server calls itself: display only */
  serverName: string;
  serverVersion: string;
  pid: number;
  toolCount: number;
  /** path on our own origin, or "" */
  icon: string;
  hue: number;
  nextTry: string;
  needsConsent: boolean;
  fallbacks: string[];
}

/** Var is a named value: an environment variable or a header. */
export interface Var {
  name: string;
  value: string;
}

/** ServerDraft is a server's settings as they are edited. Values may refer to secrets as ${secret:NAME}. */
export interface ServerDraft {
  /** "" makes a new server */
  id: string;
  name: string;
  kind: "stdio" | "http" | "builtin";
  command: string;
  args: string[];
  env: Var[];
  dir: string;
  url: string;
  headers: Var[];
  enabled: boolean;
  /** as chooseCA gave it, "" for none */
  caFile: string;
  /** "" as the system says, "none", or an address */
  proxy: string;
  /** also beyond this computer */
  plainHttp: boolean;
  /** of silence; 0 means the default */
  timeoutSeconds: number;
  /** of a call in all; 0 means the default */
  maxSeconds: number;
  /** 0 means the default */
  maxResultMiB: number;
}

/** Problem is a fault in a draft, at its field ("command", "env.2.value"). Only warnings let the draft be saved. */
export interface Problem {
  field: string;
  message: string;
  warning: boolean;
}

/** SecretInfo tells of a secret without its value. */
export interface SecretInfo {
  name: string;
  stored: boolean;
  /** too short to be found inside other text */
  weak: boolean;
  usedIn: string[];
}

/** ServerDetail is everything about one server. */
export interface ServerDetail {
  server: ServerView;
  draft: ServerDraft;
  secrets: SecretInfo[];
  problems: Problem[];
  instructions: string;
  launch: LaunchView;
  roots: RootView[];
}

/** RootView is a folder that the person opened to a server. */
export interface RootView {
  path: string;
  /** why it is not told to the server now, or "" */
  fault: string;
}

/** LaunchView is all that starting or contacting a server means, in full. Secret values stand as marks. */
export interface LaunchView {
  kind: string;
  command: string;
  resolvedPath: string;
  args: string[];
  dir: string;
  env: Var[];
  url: string;
  headers: Var[];
  caFile: string;
  proxy: string;
  plainHttp: boolean;
  fingerprint: string;
  consented: boolean;
  /** parts that differ from what was agreed to */
  changed: string[];
  warnings: string[];
  /** why it cannot be started */
  error: string;
}

/** SaveResult tells whether a draft was saved: it was unless a problem is no warning. */
export interface SaveResult {
  id: string;
  problems: Problem[];
}

/** LogLine is a line of a server's log. */
export interface LogLine {
  n: number;
  time: string;
  source: string;
  level: string;
  text: string;
}

/** LogPage is the log from a line on. */
export interface LogPage {
  lines: LogLine[];
  /** lines that made room for these */
  dropped: number;
  next: number;
}
