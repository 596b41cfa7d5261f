import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { call, detail, ended } from "../../api/fakeparts";
import type { CallView } from "../../api/types";
import { laidOut, stage, wideWindow } from "../../test/screen";
import { lasting, span } from "../../utils/time";
import { OUTCOMES, progressWords, stateWords } from "../calls/words";
import { HistoryScreen } from "./HistoryScreen";
import { merged } from "./useHistory";

beforeEach(() => {
  wideWindow();
  laidOut();
});

const press = (name: string | RegExp) => screen.findByRole("button", { name });

function many(count: number): CallView[] {
  return Array.from({ length: count }, (_, i) => ended({ id: `h${count - i}`, ordinal: count - i, toolTitle: `Tool ${count - i}` }));
}

async function rows(): Promise<HTMLElement[]> {
  return within(await screen.findByRole("list", { name: "Calls" })).getAllByRole("button");
}

describe("words", () => {
  it("say states, progress and lengths of time as people do", () => {
    expect(stateWords("lost").word).toBe("Outcome unknown");
    expect(progressWords({ progress: 4, total: 10, message: "reading" })).toBe("40 %, reading");
    expect(progressWords({ progress: 12, total: -1, message: "" })).toBe("12 done");
    expect([0, 940, 2_440, 59_900, 200_000].map(lasting)).toEqual(["0 ms", "940 ms", "2.4 s", "1 min", "3 min 20 s"]);
    expect([0, 61, 86_400, 90_000].map(span)).toEqual(["0 s", "1 min 1 s", "1 d", "1 d 1 h"]);
  });

  it("every state belongs to exactly one outcome", () => {
    const all = OUTCOMES.flatMap((one) => one.states);
    expect(new Set(all).size).toBe(all.length);
    expect(all).toHaveLength(17);
  });
});

describe("the newest page", () => {
  const shown = { rows: many(3), total: 3, more: false, fresh: [], gap: false, error: undefined };
  const page = { calls: [ended({ id: "h4", ordinal: 4 }), ended({ id: "h3", ordinal: 3, summary: "changed" })], more: true, total: 4 };

  it("joins what is shown, unless the person reads", () => {
    expect(merged(shown, page, false).rows?.map((row) => row.id)).toEqual(["h4", "h3", "h2", "h1"]);
    const held = merged(shown, page, true);
    expect(held.rows?.map((row) => row.id)).toEqual(["h3", "h2", "h1"]);
    expect(held.rows?.[0]?.summary).toBe("changed");
    expect(held.fresh.map((row) => row.id)).toEqual(["h4"]);
  });

  it("does not hide a hole between the old and the new", () => {
    const far = { calls: [ended({ id: "h90", ordinal: 90 })], more: true, total: 90 };
    expect(merged(shown, far, false)).toMatchObject({ gap: true, rows: shown.rows });
  });
});

describe("history", () => {
  it("says what belongs there when it is empty", async () => {
    const { user, went } = stage(HistoryScreen, "history");
    expect(await screen.findByText("No calls yet")).toBeVisible();
    await user.click(await press("Choose a tool"));
    expect(went).toEqual(["tools"]);
  });

  it("says that it is being read", async () => {
    stage(HistoryScreen, "history", { silent: new Set(["calls.history"]) });
    expect(await screen.findByRole("status", { name: "Reading the history" })).toBeVisible();
  });

  it("says what failed and tries again", async () => {
    const { fake, user } = stage(HistoryScreen, "history", { calls: many(2), failing: new Map([["calls.history", "The disk is full."]]) });
    expect(await screen.findByText(/The disk is full/)).toBeVisible();
    fake.world.failing.clear();
    await user.click(await press("Try again"));
    expect(await rows()).toHaveLength(2);
  });

  it("draws few of many rows, and goes through them by the keyboard", async () => {
    const { user } = stage(HistoryScreen, "history", { calls: many(400) });
    const drawn = await rows();
    expect(drawn.length).toBeLessThan(60);
    expect(screen.getByText("400 calls")).toBeVisible();
    expect(drawn.filter((row) => row.tabIndex === 0)).toHaveLength(1);
    drawn[0]?.focus();
    await user.keyboard("{ArrowDown}{ArrowDown}{ArrowUp}");
    expect(drawn[1]).toHaveFocus();
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("heading", { name: "Tool 399" })).toBeVisible();
  });

  it("narrows by text and by outcome, and shows all again", async () => {
    const calls = [ended({ id: "a", ordinal: 3, toolTitle: "Weather" }), ended({ id: "b", ordinal: 2, toolTitle: "Chart", state: "denied" }), ended({ id: "c", ordinal: 1, toolTitle: "Chart" })];
    const { user } = stage(HistoryScreen, "history", { calls });
    await user.type(await screen.findByLabelText("Search calls"), "chart");
    await waitFor(async () => expect(await rows()).toHaveLength(2));
    await user.click(screen.getByRole("combobox", { name: "Outcome" }));
    await user.click(await screen.findByRole("option", { name: "Denied or stopped" }));
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    await user.type(screen.getByLabelText("Search calls"), " zzz");
    await user.click(await press("Show all calls"));
    expect(await rows()).toHaveLength(3);
  });

  it("lets new rows wait behind a line while the person reads", async () => {
    const { fake, user } = stage(HistoryScreen, "history", { calls: many(3) });
    const [first] = await rows();
    act(() => first?.focus());
    fake.world.calls.unshift(ended({ id: "new", ordinal: 4, toolTitle: "Newest" }));
    act(() => fake.tell("calls", "new"));
    const line = await press("1 new");
    expect(screen.queryByText("Newest")).toBeNull();
    await user.click(line);
    expect(await screen.findByText("Newest")).toBeVisible();
  });

  it("updates a row in place", async () => {
    const { fake } = stage(HistoryScreen, "history", { calls: [call({ state: "sent", ordinal: 1 })] });
    expect(await screen.findByText("Running")).toBeVisible();
    Object.assign(fake.world.calls[0] ?? {}, ended({ ordinal: 1 }));
    act(() => fake.tell("calls", "c1"));
    expect(await within(screen.getByRole("list", { name: "Calls" })).findByText("Succeeded")).toBeVisible();
  });

  it("shows long and odd names without breaking a row", async () => {
    stage(HistoryScreen, "history", { calls: [ended({ toolTitle: `${"long".repeat(100)}\u202e` })] });
    expect((await rows())[0]).toHaveTextContent("[U+202E]");
  });
});

describe("a call", () => {
  it("shows result, arguments, decision, times and every event", async () => {
    const { user } = stage(HistoryScreen, "history", { calls: [ended()] }, "c1");
    expect(await screen.findByText("Lisbon: 21 °C, clear")).toBeVisible();
    for (const text of ["after 1.8 s", "Approved", "The result arrived", "Sent to the server, attempt 1"]) expect(screen.getByText(text)).toBeVisible();
    await user.click(await press("Event 43 as it is kept"));
    expect(screen.getByText(/"verdict"/)).toBeVisible();
  });

  it("is run again only by way of a new approval", async () => {
    const { user, did, went } = stage(HistoryScreen, "history", { calls: [ended()] }, "c1");
    await user.click(await press("Run again"));
    expect(did("calls.again")).toEqual([["c1"]]);
    expect(did("approvals.decide")).toEqual([]);
    expect(went).toEqual(["approvals c1-again"]);
  });

  it("says why it cannot be run again", async () => {
    const { user } = stage(HistoryScreen, "history", { calls: [ended()], failing: new Map([["calls.again", "The arguments held a secret, which is not kept."]]) }, "c1");
    await user.click(await press("Run again"));
    expect(await screen.findByText(/which is not kept/)).toBeVisible();
  });

  it("that was denied shows the reason and no result", async () => {
    const denied = ended({ state: "denied", decision: "denied", sentAt: "", durationMs: -1, resultBytes: 0 });
    stage(HistoryScreen, "history", { calls: [denied], details: new Map([["c1", detail({ call: denied, result: null, decision: { verdict: "denied", reason: "wrong city", by: "person", rule: "", at: denied.decidedAt, shownMs: 900 } })]]) }, "c1");
    expect(await screen.findByText("wrong city")).toBeVisible();
    expect(screen.queryByRole("heading", { name: "Result" })).toBeNull();
  });

  it("that runs shows progress and can be cancelled", async () => {
    const running = call({ state: "sent", progress: { progress: 1, total: 4, message: "first" } });
    const { user, did } = stage(HistoryScreen, "history", { calls: [running] }, "c1");
    expect(await screen.findByText("25 %, first")).toBeVisible();
    await user.click(await press("Cancel"));
    expect(did("calls.cancel")).toEqual([["c1"]]);
  });

  it("that waits leads to its card, and can be withdrawn", async () => {
    const { user, did, went } = stage(HistoryScreen, "history", { calls: [call()] }, "c1");
    await user.click(await press("Go to approvals"));
    expect(went).toEqual(["approvals c1"]);
    await user.click(await press("Withdraw"));
    expect(did("calls.withdraw")).toEqual([["c1"]]);
  });

  it("that is not there any more says so and leads back", async () => {
    const { user, went } = stage(HistoryScreen, "history", { calls: [ended()] }, "gone");
    expect(await screen.findByText("This call could not be read")).toBeVisible();
    await user.click(await press("Back to the list"));
    expect(went).toEqual(["history "]);
  });
});
