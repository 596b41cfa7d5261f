import type { World } from "../api/fake";
import { at, bytes, call, card, ended, launch, question, server, serverDetail } from "../api/fakeparts";
import type { CallState, CallView, LogLine } from "../api/types";
import { detail as toolDetail, groups } from "./toolsamples";

const LONG = "A_tool_with_a_name_that_goes_on_and_on_without_a_single_place_to_break_the_line_in_v2";
const STATES: CallState[] = ["succeeded", "tool_failed", "denied", "lost", "succeeded", "timed_out", "cancelled", "succeeded", "protocol_failed", "expired"];

function history(count: number): CallView[] {
  return Array.from({ length: count }, (_, i) =>
    ended({
      id: `h${i}`, ordinal: count - i, state: STATES[i % STATES.length] ?? "succeeded", toolTitle: i % 7 === 3 ? LONG : ["Weather", "Chart image", "Long job"][i % 3] ?? "", tool: ["weather", "chart", "long_job"][i % 3] ?? "",
      created: at(-3600 * i - 60), durationMs: 40 * i + 3, summary: i % 10 === 1 ? "The tool reported an error." : "",
    }),
  );
}

function log(): LogLine[] {
  return Array.from({ length: 60 }, (_, i) => ({ n: i + 1, time: at(i - 300), source: i % 9 === 0 ? "protocol" : "stderr", level: i % 11 === 0 ? "warning" : "", text: i % 13 === 0 ? `${"a long line ".repeat(20)}${i}` : `read /home/ada/notes/${i}.md` }));
}

/** Some of everything, with long and odd texts among it. */
export function fullWorld(): Partial<World> {
  const running = call({ id: "r1", ordinal: 900, state: "sent", tool: "long_job", toolTitle: "Long job", sentAt: at(-20), progress: { progress: 4, total: 10, message: "reading the fourth of ten" } });
  const asking = call({ id: "c9", ordinal: 901, state: "input_required", tool: "ask_form", toolTitle: "Ask with a form", sentAt: at(-31) });
  const waiting = call({ id: "c2", ordinal: 903, toolTitle: LONG, tool: "long_name", created: at(-20), hue: 120 });
  const first = call({ id: "c1", ordinal: 902 });
  return {
    cards: [
      card({
        call: first, deadline: new Date(Date.now() + 45_000).toISOString(), headers: [{ name: "Mcp-Param-City", value: "Lisbon" }],
        unchecked: "Definition as of 2 March 2026, 18:04, not checked since.", notes: ["Never called before."], schemaErrors: [{ pointer: "/days", message: "must be at most 2" }],
      }),
      card({ call: waiting, toolDescription: "It does much. ".repeat(60), args: bytes(JSON.stringify({ path: "/home/ada/".repeat(40), note: "right\u202eleft" })), notes: [], annotations: [], server: server({ id: "files", name: "Files", state: "stopped" }) }),
    ],
    questions: [
      question(),
      question({ id: "q2", callId: "c8", mode: "url", schema: "", toolTitle: "Ask to open an address", message: "Please sign in with the bank.", url: "https://user@xn--bnk-tla.example:8443/pay/confirm?amount=12&to=example.com", host: "xn--bnk-tla.example:8443", urlWarning: "The host's name is written in Punycode: its letters may look like others.", created: at(-10) }),
    ],
    calls: [first, waiting, asking, running, ...history(300)],
    servers: [
      serverDetail({ server: server(), secrets: [], launch: launch({ kind: "builtin", command: "/usr/bin/countersign", args: ["demo-server"], env: [] }) }),
      serverDetail({ server: server({ id: "files", name: "Files", kind: "stdio", hue: 30, era: "legacy", version: "2025-11-25", toolCount: 14, fallbacks: ["server/discover was answered with -32601: the older version is spoken."] }), instructions: "Call list before read. Paths are absolute." }),
      serverDetail({
        server: server({ id: "mail", name: "Mail of the whole organisation with a long name", kind: "http", hue: 300, state: "attention", code: "consent", needsConsent: true, reason: "It waits for your consent.", toolCount: 0, era: "", version: "" }),
        launch: launch({ kind: "http", command: "", resolvedPath: "", args: [], dir: "", env: [], url: "https://mcp.example.com/mcp", headers: [{ name: "Authorization", value: "Bearer «secret:TOKEN»" }], consented: false, changed: ["address", "headers"], warnings: ["A secret in an argument can be seen by other programs."] }),
      }),
      serverDetail({ server: server({ id: "broken", name: "Broken", kind: "stdio", hue: 0, state: "attention", code: "not_found", reason: "`npx` was not found. Searched 9 folders.", hint: "Set the full path or check your shell's PATH.", toolCount: 0, era: "", version: "" }), launch: launch({ error: "`npx` was not found. Searched 9 folders." }) }),
    ],
    logs: new Map([["files", log()]]),
    groups: groups(40),
    tool: toolDetail(),
    notices: [{ id: "n1", level: "warning", text: "There is no system keyring: secrets are held for this run only.", hint: "Start one, then start Countersign again." }],
  };
}
