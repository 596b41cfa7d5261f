import type { BytesView, CallDetail, CallView, CardView, LaunchView, ListLine, ListView, QuestionView, ResultView, RuleDraft, RuleView, ServerDetail, ServerDraft, ServerView } from "./types";

// Whole values of the bridge's types with plain contents, for tests and the development page; never in the release.

export const T0 = Date.parse("2026-03-03T12:00:00Z");

export function at(seconds: number): string {
  return new Date(T0 + seconds * 1000).toISOString();
}

export function server(part: Partial<ServerView> = {}): ServerView {
  return {
    id: "demo", name: "Demo server", kind: "builtin", enabled: true, state: "running", reason: "", hint: "", code: "", since: at(-600), era: "modern", version: "2026-07-28",
    serverName: "countersign-demo", serverVersion: "1.0.0", pid: 4711, toolCount: 12, icon: "", hue: 210, nextTry: "", needsConsent: false, fallbacks: [],
    ...part,
  };
}

export function bytes(text: string, part: Partial<BytesView> = {}): BytesView {
  return { text, size: new TextEncoder().encode(text).length, handle: "", masked: 0, ...part };
}

export function call(part: Partial<CallView> = {}): CallView {
  return {
    id: "c1", ordinal: 1, state: "awaiting_approval", origin: "person", serverId: "demo", serverName: "Demo server", method: "", tool: "weather", toolTitle: "Weather", icon: "", hue: 210,
    created: at(-60), updated: at(-60), decidedAt: "", sentAt: "", finishedAt: "", revision: 1, progress: null, summary: "", durationMs: -1, argsBytes: 32, resultBytes: 0,
    isError: false, decision: "", masked: 0, ...part,
  };
}

export function ended(part: Partial<CallView> = {}): CallView {
  return call({ state: "succeeded", decision: "approved", decidedAt: at(-50), sentAt: at(-50), finishedAt: at(-48), durationMs: 1_840, resultBytes: 220, ...part });
}

export const WEATHER_SCHEMA = JSON.stringify({
  type: "object",
  properties: { city: { type: "string", title: "City", description: "A city anywhere." }, days: { type: "integer", title: "Days", minimum: 1, maximum: 7, default: 3 } },
  required: ["city"],
});

export function card(part: Partial<CardView> = {}): CardView {
  const made = part.call ?? call();
  return {
    call: made, revision: made.revision, hash: "5f0c".padEnd(64, "0"), args: bytes('{"city":"Lisbon","days":3}'), server: server(), toolTitle: made.toolTitle,
    toolDescription: "Tells the weather of a city for the days ahead.", annotations: [{ label: "read-only", claim: "readOnlyHint: true" }],
    origin: { kind: "person", text: "You, in this window", proven: true }, inputSchema: WEATHER_SCHEMA, deadline: "", unchecked: "", notes: ["Never called before."], schemaErrors: [], headers: [], findings: [],
    redefined: null, rearranged: null, why: "", change: "", ...part,
  };
}

export function ruleDraft(part: Partial<RuleDraft> = {}): RuleDraft {
  return {
    id: "", name: "Allow Weather", effect: "allow", serverId: "demo", level: "conditions", tool: "weather", callId: "c1", origin: "person",
    where: [
      { path: "/city", op: "equals", values: ['"Lisbon"'], text: "", hosts: [], min: "", max: "" },
      { path: "/days", op: "equals", values: ["3"], text: "", hosts: [], min: "", max: "" },
    ],
    anyValue: [], destructive: false, calls: 0, minutes: 0, untilQuit: false, ...part,
  };
}

export function rule(part: Partial<RuleView> = {}): RuleView {
  return {
    id: "r1", name: "Allow Weather", effect: "allow", serverId: "demo", serverName: "Demo server", tools: ["weather"], says: ['/city is "Lisbon"', "nothing else is given"], origin: "person",
    callsLeft: -1, secondsLeft: 0, untilQuit: false, paused: false, revoked: false, ended: "", stale: "", foreign: false, made: at(-3_600), uses: 4, lastUse: "c1", draft: ruleDraft({ id: "r1", callId: "" }), ...part,
  };
}

export function question(part: Partial<QuestionView> = {}): QuestionView {
  return {
    id: "q1", callId: "c9", serverId: "demo", serverName: "Demo server", toolTitle: "Ask with a form", icon: "", hue: 210, mode: "form", message: "Which name shall stand on the ticket?",
    schema: JSON.stringify({ type: "object", properties: { name: { type: "string", title: "Name" }, seat: { type: "string", title: "Seat", enum: ["window", "aisle"] } }, required: ["name"] }),
    url: "", host: "", urlWarning: "", problem: "", created: at(-30), round: 1, index: 1, of: 1, otherCalls: 0, opened: false, ...part,
  };
}

export function result(part: Partial<ResultView> = {}): ResultView {
  const raw = '{"content":[{"type":"text","text":"Lisbon: 21 °C, clear"}],"structuredContent":{"city":"Lisbon","celsius":21}}';
  return {
    blocks: [
      {
        index: 0, type: "text", text: bytes("Lisbon: 21 °C, clear"), handle: "", mime: "", sniffed: "", uri: "", name: "", title: "", description: "", size: 21, audience: [],
        raw: '{"type":"text","text":"Lisbon: 21 °C, clear"}', problem: "",
      },
    ],
    structured: bytes('{"city":"Lisbon","celsius":21}'), isError: false, notes: [], raw: bytes(raw), schemaErrors: [], error: null, ...part,
  };
}

export function detail(part: Partial<CallDetail> = {}): CallDetail {
  const made = part.call ?? ended();
  const over = made.finishedAt !== "";
  return {
    call: made, args: bytes('{"city":"Lisbon","days":3}'), result: over ? result() : null,
    timeline: [
      { seq: 41, time: at(-60), kind: "call.proposed", title: "Proposed by the person at the window", detail: '{"revision":1}' },
      { seq: 42, time: at(-59.9), kind: "call.asked", title: "Asked for approval", detail: '{"state":"awaiting_approval"}' },
      ...(over
        ? [
            { seq: 43, time: at(-50), kind: "call.decided", title: "Approved by the person", detail: '{"verdict":"approved"}' },
            { seq: 44, time: at(-49.98), kind: "call.sent", title: "Sent to the server, attempt 1", detail: '{"attempt":1}' },
            { seq: 45, time: at(-48), kind: "call.ended", title: "The result arrived", detail: '{"state":"succeeded"}' },
          ]
        : []),
    ],
    decision: over ? { verdict: "approved", reason: "", by: "person", rule: "", at: at(-50), shownMs: 9_800 } : null, definition: '{"name":"weather"}', serverGone: false, parentId: "", argsHash: "5f0c".padEnd(64, "0"),
    reads: [], unreadable: "", readNote: "", ...part,
  };
}

export function draft(part: Partial<ServerDraft> = {}): ServerDraft {
  return { id: "files", name: "Files", kind: "stdio", command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "/home/ada/notes"], env: [{ name: "API_KEY", value: "${secret:API_KEY}" }], dir: "", url: "", headers: [], enabled: true,
    caFile: "", proxy: "", plainHttp: false, timeoutSeconds: 0, maxSeconds: 0, maxResultMiB: 0, ...part };
}

export function launch(part: Partial<LaunchView> = {}): LaunchView {
  return {
    kind: "stdio", command: "npx", resolvedPath: "/usr/bin/npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "/home/ada/notes"], dir: "/home/ada", env: [{ name: "API_KEY", value: "«secret:API_KEY»" }], url: "", headers: [],
    caFile: "", proxy: "", plainHttp: false, fingerprint: "f".repeat(64), consented: true, changed: [], warnings: [], error: "", ...part,
  };
}

export function serverDetail(part: Partial<ServerDetail> = {}): ServerDetail {
  const view = part.server ?? server({ id: "files", name: "Files", kind: "stdio", hue: 30 });
  return { server: view, draft: draft({ id: view.id, name: view.name, kind: view.kind }), secrets: [{ name: "API_KEY", stored: true, weak: false, usedIn: ["env.0.value"] }], problems: [], instructions: "", launch: launch(), roots: [], ...part };
}

export function list(part: Partial<ListView> = {}): ListView {
  return {
    id: "l1", name: "orders.jsonl", format: "jsonl", lines: 3, faults: 0, columns: [], started: false, serverId: "", tool: "", atOnce: 8, deadlineSeconds: 600,
    counts: [{ state: "ready", count: 3 }], problem: "", ...part,
  };
}

export function listLine(part: Partial<ListLine> = {}): ListLine {
  return { line: 1, id: "", serverName: "Demo server", tool: "weather", state: "ready", callId: "", reason: "", ...part };
}
