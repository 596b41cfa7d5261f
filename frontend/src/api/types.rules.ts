/** The types of rules that cross the bridge, as package app declares them. */
import type { CallView } from "./types";

export type Effect = "allow" | "ask" | "deny";
export type Level = "exact" | "conditions" | "tool" | "server";
export type Op = "equals" | "one_of" | "prefix" | "glob" | "number" | "length" | "absent" | "url_host";

/** A condition of a rule; values are JSON texts. */
export interface RuleCondition {
  path: string;
  op: Op;
  values: string[];
  text: string;
  hosts: string[];
  min: string;
  max: string;
}

/** A rule as a person makes or edits it. */
export interface RuleDraft {
  /** "" for a new one */
  id: string;
  name: string;
  effect: Effect;
  serverId: string;
  level: Level;
  tool: string;
  callId: string;
  origin: string;
  where: RuleCondition[];
  anyValue: string[];
  destructive: boolean;
  /** 0: no limit */
  calls: number;
  minutes: number;
  untilQuit: boolean;
}

/** A rule in the list. */
export interface RuleView {
  id: string;
  name: string;
  effect: Effect;
  serverId: string;
  serverName: string;
  /** names; empty: every tool */
  tools: string[];
  /** about which arguments, in words */
  says: string[];
  origin: string;
  /** -1: no limit */
  callsLeft: number;
  secondsLeft: number;
  untilQuit: boolean;
  paused: boolean;
  revoked: boolean;
  /** why it does not speak any more, or "" */
  ended: string;
  /** what it is tied to that changed, or "" */
  stale: string;
  /** it did not come from here: it only asks */
  foreign: boolean;
  made: string;
  uses: number;
  /** id of the call, or "" */
  lastUse: string;
  draft: RuleDraft;
}

/** What a draft would do. */
export interface RulePreview {
  problem: string;
  says: string[];
  tools: string[];
  waiting: CallView[];
}

/** How far a draft was held against the history. */
export interface ReplayView {
  done: number;
  total: number;
  running: boolean;
  problem: string;
  matched: number;
  rest: number;
  unusual: ReplayItem[];
}

/** One call that a draft would have decided. */
export interface ReplayItem {
  call: CallView;
  args: string;
  /** what is unusual about it, or "" */
  why: string;
}

/** A tool by the definition that was on screen. */
export interface ReviewedTool {
  name: string;
  definition: string;
}
