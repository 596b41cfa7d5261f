import type { Backend } from "./backend";
import { Fault } from "./errors";
import * as parts from "./fakeparts";
import type { CallDetail, CallView, CardView, Change, FieldError, ListPage, LogLine, Notice, Problem, QuestionView, ReplayView, RulePreview, RuleView, ServerDetail, ServerDraft, SettingsView, ToolDetail, ToolGroup, Topic } from "./types";

/** What the fake back end holds. Tests change it and say what changed. */
export interface World {
  servers: ServerDetail[];
  groups: ToolGroup[];
  tool: ToolDetail | undefined;
  cards: CardView[];
  questions: QuestionView[];
  calls: CallView[];
  details: Map<string, CallDetail>;
  logs: Map<string, LogLine[]>;
  settings: SettingsView;
  rules: RuleView[];
  preview: RulePreview;
  replay: ReplayView;
  notices: Notice[];
  paused: boolean;
  ui: Record<string, string>;
  lists: ListPage[];
  /** What Open a call list gives; undefined: no file is chosen. */
  opens: ListPage | undefined;
  /** What native dialogs for files and folders give. */
  choice: string;
  problems: Problem[];
  answers: FieldError[];
  /** Methods that fail, by name: "calls.history". */
  failing: Map<string, string>;
  /** Methods that never answer. */
  silent: Set<string>;
}

export interface Fake extends Backend {
  world: World;
  /** Every call of a method that changes something, in order. */
  did: { name: string; args: unknown[] }[];
  tell: (topic: Topic, id?: string) => void;
}

export function emptyWorld(): World {
  return {
    servers: [], groups: [], tool: undefined, cards: [], questions: [], calls: [], details: new Map(), lists: [], opens: undefined, logs: new Map(), notices: [], paused: false, ui: {}, choice: "", problems: [], answers: [],
    rules: [], preview: { problem: "", says: [], tools: ["weather"], waiting: [] }, replay: { done: 0, total: 0, running: false, problem: "", matched: 0, rest: 0, unusual: [] },
    settings: {
      approvalDeadlineSeconds: 0, theme: "system", dataDir: "/home/ada/.local/share/countersign", version: "0.1.0", keyring: { persistent: true, reason: "" }, headSize: 45,
      headRoot: "9b1f".padEnd(64, "c"),
    },
    failing: new Map(), silent: new Set(),
  };
}

/** A back end in memory: for tests of the screens and for the development page. Never part of the release. */
export function fakeBackend(part: Partial<World> = {}): Fake {
  const world: World = { ...emptyWorld(), ...part };
  const listeners = new Set<(change: Change) => void>();
  const did: Fake["did"] = [];
  let seq = 0;
  const tell = (topic: Topic, id = "") => {
    for (const fn of [...listeners]) fn({ seq: ++seq, topic, id });
  };
  /** Answers as the bridge does: later, and by a copy. */
  const give = async <T>(name: string, value: () => T): Promise<T> => {
    await Promise.resolve();
    if (world.silent.has(name)) return new Promise<T>(() => undefined);
    const failing = world.failing.get(name);
    if (failing !== undefined) throw new Fault({ code: "unavailable", message: failing, hint: "Try again.", id: "" });
    return structuredClone(value());
  };
  const act = <T>(name: string, args: unknown[], fn: () => T): Promise<T> => {
    did.push({ name, args });
    return give(name, fn);
  };
  const missing = (what: string): never => {
    throw new Fault({ code: "not_found", message: `There is no such ${what}.`, hint: "", id: "" });
  };
  const serverOf = (id: string) => world.servers.find((one) => one.server.id === id) ?? missing("server");
  const callOf = (id: string) => world.calls.find((one) => one.id === id) ?? missing("call");
  const listOf = (id: string) => world.lists.find((one) => one.list.id === id) ?? missing("list");
  const over = (view: CallView) => {
    Object.assign(view, parts.ended({ ...view, state: "succeeded", finishedAt: parts.at(-48), durationMs: 1_840 }));
    tell("calls", view.id);
  };
  return {
    world, did, tell,
    servers: {
      list: () => give("servers.list", () => world.servers.map((one) => one.server)),
      get: (id) => give("servers.get", () => serverOf(id)),
      save: (draft) =>
        act("servers.save", [draft], () => {
          if (world.problems.some((one) => !one.warning)) return { id: "", problems: world.problems };
          const id = draft.id === "" ? `s${world.servers.length + 1}` : draft.id;
          saveServer(world, id, draft);
          tell("servers", id);
          return { id, problems: world.problems };
        }),
      check: () => give("servers.check", () => world.problems),
      remove: (id) =>
        act("servers.remove", [id], () => {
          world.servers = world.servers.filter((one) => one.server.id !== id);
          tell("servers", id);
        }),
      undoRemove: (id) => act("servers.undoRemove", [id], () => tell("servers", id)),
      start: (id) =>
        act("servers.start", [id], () => {
          serverOf(id).server.state = "running";
          tell("servers", id);
        }),
      stop: (id) =>
        act("servers.stop", [id], () => {
          Object.assign(serverOf(id).server, { state: "stopped", enabled: false });
          tell("servers", id);
        }),
      consent: (id) =>
        act("servers.consent", [id], () => {
          const one = serverOf(id);
          one.launch.consented = true;
          Object.assign(one.server, { state: "running", needsConsent: false, code: "", reason: "" });
          tell("servers", id);
          return true;
        }),
      log: (id, after) =>
        give("servers.log", () => {
          const lines = (world.logs.get(id) ?? []).filter((line) => line.n > after);
          return { lines, dropped: 0, next: lines.at(-1)?.n ?? after };
        }),
      setSecret: (id, name, value) => act("servers.setSecret", [id, name, value], () => []),
      deleteSecret: (id, name) => act("servers.deleteSecret", [id, name], () => undefined),
      chooseCA: () => act("servers.chooseCA", [], () => world.choice),
      addRoot: (id) =>
        act("servers.addRoot", [id], () => {
          if (world.choice !== "") serverOf(id).roots.push({ path: world.choice, fault: "" });
          tell("servers", id);
          return world.choice;
        }),
      removeRoot: (id, path) =>
        act("servers.removeRoot", [id, path], () => {
          const one = serverOf(id);
          one.roots = one.roots.filter((root) => root.path !== path);
          tell("servers", id);
        }),
    },
    tools: {
      list: () => give("tools.list", () => world.groups),
      get: () => give("tools.get", () => world.tool ?? missing("tool")),
      validate: () => give("tools.validate", () => world.answers),
      refresh: (id) => act("tools.refresh", [id], () => undefined),
      review: (id, tools) =>
        act("tools.review", [id, tools], () => {
          if (world.tool !== undefined) Object.assign(world.tool, { summary: { ...world.tool.summary, change: "" }, redefined: null, reviewed: parts.at(0) });
          tell("tools", id);
        }),
    },
    rules: {
      list: () => give("rules.list", () => world.rules),
      draft: (callId) => give("rules.draft", () => parts.ruleDraft({ callId })),
      preview: () => give("rules.preview", () => world.preview),
      save: (draft, settle) =>
        act("rules.save", [draft, settle], () => {
          const made = parts.rule({ id: draft.id === "" ? `r${world.rules.length + 1}` : draft.id, name: draft.name, effect: draft.effect, draft });
          world.rules = [made, ...world.rules.filter((one) => one.id !== made.id)];
          world.cards = world.cards.filter((one) => !settle.includes(one.call.id));
          tell("rules", made.id);
          return made;
        }),
      pause: (id, on) =>
        act("rules.pause", [id, on], () => {
          Object.assign(world.rules.find((one) => one.id === id) ?? missing("rule"), { paused: on });
          tell("rules", id);
        }),
      revoke: (id) =>
        act("rules.revoke", [id], () => {
          Object.assign(world.rules.find((one) => one.id === id) ?? missing("rule"), { revoked: true });
          tell("rules", id);
        }),
      replay: (draft) =>
        act("rules.replay", [draft], () => {
          tell("rules", "replay");
        }),
      replayed: () => give("rules.replayed", () => world.replay),
      stopReplay: () => act("rules.stopReplay", [], () => undefined),
    },
    calls: {
      propose: (request) =>
        act("calls.propose", [request], () => {
          const made = parts.call({ id: `c${world.calls.length + 100}`, tool: request.tool, toolTitle: world.tool?.summary.title ?? "", argsBytes: request.argsText.length });
          world.calls.unshift(made);
          world.cards.push(parts.card({ call: made, args: parts.bytes(request.argsText) }));
          tell("approvals", made.id);
          return { call: made, errors: [] };
        }),
      again: (id) =>
        act("calls.again", [id], () => {
          const made = parts.call({ ...callOf(id), id: `${id}-again`, state: "awaiting_approval", ordinal: world.calls.length + 1 });
          world.calls.unshift(made);
          world.cards.push(parts.card({ call: made }));
          tell("approvals", made.id);
          return { call: made, errors: [] };
        }),
      read: (id, block) =>
        act("calls.read", [id, block], () => {
          const parent = world.details.get(id) ?? missing("call");
          const link = parent.result?.blocks[block] ?? missing("link");
          const made = parts.call({ ...parent.call, id: `${id}-read${block}`, method: "resources/read", tool: link.uri, toolTitle: link.title, state: "sent", finishedAt: "" });
          world.calls.unshift(made);
          parent.reads.unshift(made);
          tell("calls", id);
          return made;
        }),
      running: () => give("calls.running", () => world.calls.filter((one) => ["approved", "sent", "input_required"].includes(one.state))),
      cancel: (id) =>
        act("calls.cancel", [id], () => {
          callOf(id).state = "cancelled";
          tell("calls", id);
        }),
      withdraw: (id) => act("calls.withdraw", [id], () => undefined),
      pause: (on) =>
        act("calls.pause", [on], () => {
          world.paused = on;
          tell("settings");
        }),
      history: (filter) =>
        give("calls.history", () => {
          const all = world.calls.filter(
            (one) =>
              (filter.serverId === "" || one.serverId === filter.serverId) && (filter.tool === "" || one.tool === filter.tool) && (filter.states.length === 0 || filter.states.includes(one.state)) && `${one.toolTitle} ${one.tool} ${one.serverName}`.toLowerCase().includes(filter.text.toLowerCase()),
          );
          const page = all.filter((one) => filter.before === 0 || one.ordinal < filter.before);
          return { calls: page.slice(0, filter.limit), more: page.length > filter.limit, total: all.length };
        }),
      detail: (id) => give("calls.detail", () => world.details.get(id) ?? parts.detail({ call: callOf(id) })),
    },
    approvals: {
      list: () => give("approvals.list", () => world.cards),
      shown: (id, revision) => act("approvals.shown", [id, revision], () => undefined),
      decide: (request) =>
        act("approvals.decide", [request], () => {
          const card = world.cards.find((one) => one.call.id === request.callId) ?? missing("card");
          world.cards = world.cards.filter((one) => one !== card);
          const view = world.calls.find((one) => one.id === request.callId) ?? card.call;
          if (!world.calls.includes(view)) world.calls.unshift(view);
          view.state = request.approve ? "sent" : "denied";
          tell("approvals", view.id);
          if (request.approve) setTimeout(() => over(view), 300);
          return view;
        }),
      edit: (id, revision, text) =>
        act("approvals.edit", [id, revision, text], () => {
          const card = world.cards.find((one) => one.call.id === id) ?? missing("card");
          Object.assign(card, { revision: revision + 1, args: parts.bytes(text), hash: `e${revision}`.padEnd(64, "0") });
          tell("approvals", id);
          return { call: card.call, errors: [] };
        }),
    },
    questions: {
      list: () => give("questions.list", () => world.questions),
      shown: (id) => act("questions.shown", [id], () => undefined),
      answer: (request) =>
        act("questions.answer", [request], () => {
          if (request.action === "accept" && world.answers.length > 0) return world.answers;
          world.questions = world.questions.filter((one) => one.id !== request.id);
          tell("questions", request.id);
          return [];
        }),
      open: (id) =>
        act("questions.open", [id], () => {
          world.questions = world.questions.filter((one) => one.id !== id);
          tell("questions", id);
          return true;
        }),
    },
    lists: {
      open: () =>
        act("lists.open", [], () => {
          if (world.opens === undefined) return parts.list({ id: "" });
          world.lists.push(world.opens);
          tell("lists", world.opens.list.id);
          return world.opens.list;
        }),
      start: (id, request) =>
        act("lists.start", [id, request], () => {
          const { list } = listOf(id);
          Object.assign(list, request, { started: true });
          tell("lists", id);
          return list;
        }),
      list: () => give("lists.list", () => world.lists.map((one) => one.list)),
      get: (id, from, count) => give("lists.get", () => ({ list: listOf(id).list, from, lines: listOf(id).lines.slice(from, from + count) })),
      close: (id) =>
        act("lists.close", [id], () => {
          world.lists = world.lists.filter((one) => one.list.id !== id);
          tell("lists", id);
        }),
      report: (id) => act("lists.report", [id], () => world.choice !== ""),
    },
    settings: {
      hello: () => give("settings.hello", () => ({ version: world.settings.version, dataDir: world.settings.dataDir, keyring: world.settings.keyring, paused: world.paused, notices: world.notices, uiState: world.ui })),
      get: () => give("settings.get", () => world.settings),
      set: (change) =>
        act("settings.set", [change], () => {
          Object.assign(world.settings, change);
          tell("settings");
          return world.settings;
        }),
      saveUI: (key, value) => {
        world.ui[key] = value;
        return Promise.resolve();
      },
      dismissNotice: (id) =>
        act("settings.dismissNotice", [id], () => {
          world.notices = world.notices.filter((one) => one.id !== id);
          tell("settings");
        }),
    },
    payload: () => Promise.resolve(new ArrayBuffer(0)),
    subscribe: (fn) => {
      listeners.add(fn);
      return () => listeners.delete(fn);
    },
  };
}

function saveServer(world: World, id: string, draft: ServerDraft): void {
  const before = world.servers.find((one) => one.server.id === id);
  if (before !== undefined) {
    before.draft = { ...draft, id };
    Object.assign(before.server, { name: draft.name, enabled: draft.enabled });
    return;
  }
  const view = parts.server({ id, name: draft.name, kind: draft.kind, state: "attention", code: "consent", needsConsent: true, reason: "Waits for your consent", toolCount: 0, hue: 120 });
  world.servers.push(parts.serverDetail({ server: view, draft: { ...draft, id }, secrets: [], launch: parts.launch({ consented: false, command: draft.command, args: draft.args, env: draft.env }) }));
}
