import type { Backend } from "./backend";
import { Fault, faultOf } from "./errors";
import type { Change, Topic } from "./types";

// The one door to the bridge. The bound methods are reached by name; that names, arguments and types fit is held
// by src/test/bindings.ts, which the type checker compares with the generated bindings.

type Bound = Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>>;

interface Bridge {
  go?: { app?: Bound };
  runtime?: { EventsOn(name: string, fn: (data: Change) => void): () => void };
}

/** The token that only this document was served: every bound method wants it. */
function launchToken(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="countersign-token"]')?.content ?? "";
}

/** The back end behind the Wails bridge. */
export function wailsBackend(): Backend {
  const bridge = window as unknown as Bridge;
  const token = launchToken();
  async function call<T>(struct: string, method: string, ...args: unknown[]): Promise<T> {
    const fn = bridge.go?.app?.[struct]?.[method];
    if (fn === undefined) throw new Fault({ code: "unavailable", message: "The window has lost its program.", hint: "Restart Countersign.", id: "" });
    try {
      return (await fn(token, ...args)) as T;
    } catch (thrown) {
      throw faultOf(thrown);
    }
  }
  return {
    servers: {
      list: () => call("Servers", "List"),
      get: (id) => call("Servers", "Get", id),
      save: (draft) => call("Servers", "Save", draft),
      check: (draft) => call("Servers", "Check", draft),
      remove: (id) => call("Servers", "Remove", id),
      undoRemove: (id) => call("Servers", "UndoRemove", id),
      start: (id) => call("Servers", "Start", id),
      stop: (id) => call("Servers", "Stop", id),
      consent: (id) => call("Servers", "Consent", id),
      log: (id, after) => call("Servers", "Log", id, after),
      setSecret: (id, name, value) => call("Servers", "SetSecret", id, name, value),
      deleteSecret: (id, name) => call("Servers", "DeleteSecret", id, name),
      chooseCA: () => call("Servers", "ChooseCA"),
      addRoot: (id) => call("Servers", "AddRoot", id),
      removeRoot: (id, path) => call("Servers", "RemoveRoot", id, path),
    },
    tools: {
      list: () => call("Tools", "List"),
      get: (serverId, name) => call("Tools", "Get", serverId, name),
      validate: (serverId, name, argsText) => call("Tools", "Validate", serverId, name, argsText),
      refresh: (serverId) => call("Tools", "Refresh", serverId),
      review: (serverId, tools) => call("Tools", "Review", serverId, tools),
    },
    rules: {
      list: () => call("Rules", "List"),
      draft: (callId) => call("Rules", "Draft", callId),
      preview: (draft) => call("Rules", "Preview", draft),
      save: (draft, settle) => call("Rules", "Save", draft, settle),
      pause: (id, on) => call("Rules", "Pause", id, on),
      revoke: (id) => call("Rules", "Revoke", id),
      replay: (draft) => call("Rules", "Replay", draft),
      replayed: () => call("Rules", "Replayed"),
      stopReplay: () => call("Rules", "StopReplay"),
    },
    calls: {
      propose: (request) => call("Calls", "Propose", request),
      again: (id) => call("Calls", "Again", id),
      read: (id, block) => call("Calls", "Read", id, block),
      running: () => call("Calls", "Running"),
      cancel: (id) => call("Calls", "Cancel", id),
      withdraw: (id) => call("Calls", "Withdraw", id),
      pause: (on) => call("Calls", "Pause", on),
      history: (filter) => call("Calls", "History", filter),
      detail: (id) => call("Calls", "Detail", id),
    },
    approvals: {
      list: () => call("Approvals", "List"),
      shown: (callId, revision) => call("Approvals", "Shown", callId, revision),
      decide: (request) => call("Approvals", "Decide", request),
      edit: (callId, revision, argsText) => call("Approvals", "Edit", callId, revision, argsText),
    },
    questions: {
      list: () => call("Questions", "List"),
      shown: (id) => call("Questions", "Shown", id),
      answer: (request) => call("Questions", "Answer", request),
      open: (id) => call("Questions", "Open", id),
    },
    lists: {
      open: () => call("Lists", "Open"),
      start: (id, request) => call("Lists", "Start", id, request),
      list: () => call("Lists", "List"),
      get: (id, from, count) => call("Lists", "Get", id, from, count),
      close: (id) => call("Lists", "Close", id),
      report: (id) => call("Lists", "Report", id),
    },
    settings: {
      hello: () => call("Settings", "Hello"),
      get: () => call("Settings", "Get"),
      set: (change) => call("Settings", "Set", change),
      saveUI: (key, value) => call("Settings", "SaveUI", key, value),
      dismissNotice: (id) => call("Settings", "DismissNotice", id),
    },
    payload: (handle, offset, length) => payload(token, handle, offset, length),
    subscribe: subscriber(bridge),
  };
}

const TOPICS: readonly Topic[] = ["servers", "tools", "approvals", "questions", "calls", "history", "settings", "progress", "log", "lists"];

/** One ear on the bridge for all listeners. A gap in the numbers means that changes were missed: then everything counts as changed. */
function subscriber(bridge: Bridge): Backend["subscribe"] {
  const listeners = new Set<(change: Change) => void>();
  let last = 0;
  let listening = false;
  const tell = (change: Change) => {
    for (const fn of [...listeners]) fn(change);
  };
  const hear = (change: Change) => {
    if (last !== 0 && change.seq > last + 1) for (const topic of TOPICS) tell({ seq: change.seq, topic, id: "" });
    last = change.seq;
    tell(change);
  };
  return (fn) => {
    listeners.add(fn);
    if (!listening && bridge.runtime !== undefined) {
      listening = true;
      bridge.runtime.EventsOn("countersign", hear);
    }
    return () => listeners.delete(fn);
  };
}

async function payload(token: string, handle: string, offset?: number, length?: number): Promise<ArrayBuffer> {
  const query = new URLSearchParams();
  if (offset !== undefined) query.set("offset", String(offset));
  if (length !== undefined) query.set("length", String(length));
  const tail = query.size === 0 ? "" : `?${query.toString()}`;
  const answer = await fetch(`/payload/${encodeURIComponent(handle)}${tail}`, { headers: { "X-Countersign-Token": token } });
  if (!answer.ok) throw new Fault({ code: "unavailable", message: await answer.text(), hint: "", id: "" });
  return answer.arrayBuffer();
}
