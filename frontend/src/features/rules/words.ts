import type { Effect, Op, RuleDraft, RuleView } from "../../api/types";
import type { ToneName } from "../../components/ui";
import { span } from "../../utils/time";

export const EFFECTS: Record<Effect, string> = { allow: "Allows", ask: "Asks", deny: "Denies" };

/** How a rule stands. */
export function standing(rule: RuleView): { tone: ToneName; word: string } {
  if (rule.foreign) return { tone: "bad", word: "Foreign" };
  if (rule.revoked) return { tone: "quiet", word: "Revoked" };
  if (rule.ended !== "") return { tone: "quiet", word: "Over" };
  if (rule.paused) return { tone: "quiet", word: "Paused" };
  if (rule.stale !== "" && !/^\d/.test(rule.stale)) return { tone: "need", word: "Does not fit" };
  return { tone: rule.effect === "allow" ? "good" : "busy", word: EFFECTS[rule.effect] };
}

/** How long a rule still speaks: "3 calls left, 12 min left". */
export function lifeOf({ callsLeft, secondsLeft, untilQuit }: RuleView): string {
  const parts = [
    callsLeft < 0 ? "" : callsLeft === 1 ? "1 call left" : `${callsLeft} calls left`,
    secondsLeft > 0 ? `${span(secondsLeft)} left` : "",
    untilQuit ? "until Countersign is closed" : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "until it is revoked" : parts.join(", ");
}

/** What a rule is about, in one line. */
export function aboutOf(rule: RuleView): string {
  const tools = rule.tools.length === 0 ? "every tool" : rule.tools.length === 1 ? (rule.tools[0] ?? "") : `${rule.tools.length} tools`;
  return `${tools} on ${rule.serverName === "" ? "every server" : rule.serverName}`;
}

export const OPS: { value: Op; label: string }[] = [
  { value: "equals", label: "is" },
  { value: "one_of", label: "is one of" },
  { value: "prefix", label: "begins with" },
  { value: "glob", label: "is a path like" },
  { value: "number", label: "is a number from, to" },
  { value: "length", label: "has a length from, to" },
  { value: "absent", label: "is not given" },
  { value: "url_host", label: "is an address on" },
];

export const LEVELS: { value: RuleDraft["level"]; label: string; hint: string }[] = [
  { value: "exact", label: "This exact call", hint: "Only with these very arguments." },
  { value: "conditions", label: "Calls like this", hint: "When every argument fits its condition. An argument without one must not be given." },
  { value: "tool", label: "This tool", hint: "Whatever the arguments are." },
  { value: "server", label: "The reviewed tools of this server", hint: "As they are now: a new or changed tool is not among them." },
];
