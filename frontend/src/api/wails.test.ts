import { afterEach, describe, expect, it, vi } from "vitest";
import * as approvals from "../../wailsjs/go/app/Approvals";
import * as calls from "../../wailsjs/go/app/Calls";
import * as lists from "../../wailsjs/go/app/Lists";
import * as questions from "../../wailsjs/go/app/Questions";
import * as rules from "../../wailsjs/go/app/Rules";
import * as servers from "../../wailsjs/go/app/Servers";
import * as settings from "../../wailsjs/go/app/Settings";
import * as tools from "../../wailsjs/go/app/Tools";
import { Fault } from "./errors";
import type { Change } from "./types";
import { wailsBackend } from "./wails";

type Fn = (...args: unknown[]) => unknown;

/** The generated bindings by the name of their struct: what Go really offers. */
const GENERATED = { Approvals: approvals, Calls: calls, Lists: lists, Questions: questions, Rules: rules, Servers: servers, Settings: settings, Tools: tools } as unknown as Record<string, Record<string, Fn>>;

interface Reached {
  name: string;
  args: unknown[];
}

/** A window with a bridge that writes down what reaches it. */
function bridge(answer: (name: string) => Promise<unknown> = () => Promise.resolve(null)): Reached[] {
  const reached: Reached[] = [];
  const struct = (name: string) =>
    new Proxy({}, {
      get: (_, method) => (...args: unknown[]) => {
        const full = `${name}.${String(method)}`;
        reached.push({ name: full, args });
        return answer(full);
      },
    });
  const meta = document.createElement("meta");
  meta.name = "countersign-token";
  meta.content = "t0ken";
  document.head.append(meta);
  vi.stubGlobal("go", { app: Object.fromEntries(Object.keys(GENERATED).map((name) => [name, struct(name)])) });
  return reached;
}

afterEach(() => {
  vi.unstubAllGlobals();
  document.head.replaceChildren();
});

describe("the door to the bridge", () => {
  it("reaches every bound method by its name, with the token and as many arguments as it takes", async () => {
    const reached = bridge();
    const groups = Object.values(wailsBackend()).filter((part) => typeof part === "object") as Record<string, Fn>[];
    for (const group of groups) for (const fn of Object.values(group)) await fn(...Array.from({ length: fn.length }, (_, at) => `argument ${at}`));
    const offered = Object.entries(GENERATED).flatMap(([name, methods]) => Object.entries(methods).map(([method, fn]) => [`${name}.${method}`, fn.length]));
    expect(reached.map(({ name, args }) => [name, args.length]).sort()).toEqual(offered.sort());
    for (const { args } of reached) {
      expect(args[0]).toBe("t0ken");
      expect(args.slice(1)).toEqual(args.slice(1).map((_, at) => `argument ${at}`));
    }
  });

  it("tells a lost program from a refusal", async () => {
    vi.stubGlobal("go", undefined);
    await expect(wailsBackend().servers.list()).rejects.toMatchObject({ code: "unavailable", message: "The window has lost its program." });
    bridge(() => Promise.reject(new Error(JSON.stringify({ code: "conflict", message: "The card has changed.", hint: "Read it again.", id: "" }))));
    const thrown = await wailsBackend().approvals.decide({ callId: "c", revision: 1, hash: "h", approve: true, reason: "" }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(Fault);
    expect(thrown).toMatchObject({ code: "conflict", message: "The card has changed.", hint: "Read it again." });
  });

  it("listens once for all, hands on changes until told to stop, and takes a gap in the numbers for a change of everything", () => {
    bridge();
    let hear: (change: Change) => void = () => {};
    const EventsOn = vi.fn((_: string, fn: typeof hear) => {
      hear = fn;
      return () => {};
    });
    vi.stubGlobal("runtime", { EventsOn });
    const backend = wailsBackend();
    const first: Change[] = [];
    const second: Change[] = [];
    const stop = backend.subscribe((change) => first.push(change));
    backend.subscribe((change) => second.push(change));
    hear({ seq: 4, topic: "calls", id: "c" });
    hear({ seq: 5, topic: "calls", id: "d" });
    expect(first).toEqual([{ seq: 4, topic: "calls", id: "c" }, { seq: 5, topic: "calls", id: "d" }]);
    stop();
    hear({ seq: 9, topic: "log", id: "s" });
    expect(first).toHaveLength(2);
    expect(second.slice(2).map((change) => change.topic)).toEqual(["servers", "tools", "approvals", "questions", "calls", "history", "settings", "progress", "log", "lists", "log"]);
    expect(EventsOn).toHaveBeenCalledTimes(1);
  });
});

describe("payloads", () => {
  it("are fetched by handle with the token in a header, never in the address", async () => {
    bridge();
    const fetched: [string, RequestInit | undefined][] = [];
    vi.stubGlobal("fetch", (url: string, init?: RequestInit) => {
      fetched.push([url, init]);
      return Promise.resolve(new Response(new Uint8Array([1, 2, 3])));
    });
    const { payload } = wailsBackend();
    expect([...new Uint8Array(await payload("ab/../c", 4, 10))]).toEqual([1, 2, 3]);
    await payload("h");
    expect(fetched.map(([url]) => url)).toEqual(["/payload/ab%2F..%2Fc?offset=4&length=10", "/payload/h"]);
    expect(fetched[0]?.[1]?.headers).toEqual({ "X-Countersign-Token": "t0ken" });
  });

  it("that are not given reject in the program's own words", async () => {
    bridge();
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("No such payload.", { status: 404 })));
    await expect(wailsBackend().payload("h")).rejects.toMatchObject({ code: "unavailable", message: "No such payload." });
  });
});
