import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { call, card, list, listLine } from "../../api/fakeparts";
import type { ListPage, ListView } from "../../api/types";
import { groups } from "../../dev/toolsamples";
import { laidOut, stage, wideWindow } from "../../test/screen";
import { ApprovalsScreen } from "./ApprovalsScreen";
import { listSummary } from "./listwords";

beforeEach(() => {
  wideWindow();
  laidOut();
});

const button = (name: string | RegExp) => screen.findByRole("button", { name });

function page(part: Partial<ListView> = {}, lines = [listLine()]): ListPage {
  return { list: list(part), from: 0, lines };
}

const started: Partial<ListView> = {
  started: true, lines: 4, faults: 1, serverId: "", tool: "",
  counts: [{ state: "ready", count: 1 }, { state: "awaiting_approval", count: 1 }, { state: "succeeded", count: 1 }, { state: "not_proposed", count: 1 }],
};
const lines = [
  listLine({ line: 1, state: "succeeded", callId: "c7" }),
  listLine({ line: 2, state: "awaiting_approval", callId: "c1" }),
  listLine({ line: 4, state: "not_proposed", reason: "The line is not one JSON object.", tool: "", serverName: "" }),
  listLine({ line: 5 }),
];

describe("call lists", () => {
  it("are opened from an empty queue, and nothing is proposed before the start", async () => {
    const { fake, user, did } = stage(ApprovalsScreen, "approvals", { opens: page({ faults: 1 }) });
    await user.click(await button("Open a call list…"));
    expect(await screen.findByRole("heading", { name: "orders.jsonl" })).toBeVisible();
    expect(screen.getByText(/Nothing has been proposed yet/)).toBeVisible();
    expect(screen.getByText(/1 line cannot be used/)).toBeVisible();
    expect(did("lists.start")).toEqual([]);
    const propose = await button("Propose 2 lines");
    expect(propose).not.toHaveFocus();
    await user.click(propose);
    await waitFor(() => expect(did("lists.start")).toEqual([["l1", { serverId: "", tool: "", atOnce: 8, deadlineSeconds: 600 }]]));
    expect(fake.world.lists).toHaveLength(1);
  });

  it("stay closed when no file is chosen, and a file that is no list is told", async () => {
    const { fake, user, went } = stage(ApprovalsScreen, "approvals");
    await user.click(await button("Open a call list…"));
    expect(screen.getByText("Nothing waits for you")).toBeVisible();
    expect(went).toEqual([]);
    fake.world.failing.set("lists.open", "The file has no lines.");
    await user.click(await button("Open a call list…"));
    expect(await screen.findByText(/The file has no lines/)).toBeVisible();
  });

  it("want a tool for a CSV, and a number of calls that can wait", async () => {
    const { user, did } = stage(ApprovalsScreen, "approvals", { lists: [page({ format: "csv", columns: ["city", "days"] })], groups: groups(0) }, "list:l1");
    expect(await screen.findByText(/city, days/)).toBeVisible();
    await user.click(await button("Propose 3 lines"));
    expect(await screen.findByText("Choose the tool that the columns are for.")).toBeVisible();
    await user.click(screen.getByRole("combobox", { name: "Tool" }));
    await user.click((await screen.findAllByRole("option"))[0] as HTMLElement);
    const many = screen.getByLabelText("Calls at once");
    await user.clear(many);
    await user.click(await button("Propose 3 lines"));
    expect(await screen.findByText("From 1 to 32 calls can wait at once.")).toBeVisible();
    expect(did("lists.start")).toEqual([]);
    await user.type(many, "3");
    await user.click(await button("Propose 3 lines"));
    await waitFor(() => expect(did("lists.start")).toHaveLength(1));
    const [, request] = did("lists.start")[0] as [string, { serverId: string; tool: string; atOnce: number }];
    expect(request.atOnce).toBe(3);
    expect(request.tool).not.toBe("");
  });

  it("show what became of each line, and lead to its call", async () => {
    const { user, went } = stage(ApprovalsScreen, "approvals", { lists: [page(started, lines)], cards: [card()], calls: [call()] }, "list:l1");
    const states = await screen.findByRole("list", { name: "Lines by state" });
    expect(within(states).getAllByRole("listitem").map((one) => one.textContent)).toEqual(["1 Not proposed yet", "1 Needs approval", "1 Succeeded", "1 Not proposed"]);
    const rows = within(await screen.findByRole("list", { name: "Lines" }));
    await user.click(await rows.findByRole("button", { name: /^1 ?weather.*Succeeded/ }));
    expect(went).toEqual(["history c7"]);
    const bad = rows.getByRole("button", { name: /not one JSON object/ });
    expect(bad).toHaveAttribute("aria-disabled", "true");
    await user.click(bad);
    expect(went).toHaveLength(1);
    rows.getByRole("button", { name: /^1 ?weather/ }).focus();
    await user.keyboard("{ArrowDown}");
    expect(rows.getByRole("button", { name: /^2 ?weather/ })).toHaveFocus();
    await user.keyboard("{Enter}");
    expect(went).toEqual(["history c7", "approvals c1"]);
    expect(await button("Approve")).toBeVisible();
  });

  it("ask before waiting calls are withdrawn, and save a report", async () => {
    const { fake, user, did } = stage(ApprovalsScreen, "approvals", { lists: [page(started, lines)], choice: "/tmp/report.jsonl" }, "list:l1");
    await user.click(await button("Save report…"));
    expect(await screen.findByText("The report was saved.")).toBeVisible();
    await user.click(await button("Close list"));
    expect(screen.getByText(/1 waiting call is withdrawn, and 1 line is not proposed/)).toBeVisible();
    expect(did("lists.close")).toEqual([]);
    await user.click(await button("Keep it"));
    await user.click(await button("Close list"));
    await user.click(await button("Close and withdraw"));
    expect(await screen.findByText("Nothing waits for you")).toBeVisible();
    expect(fake.world.lists).toEqual([]);
  });

  it("say why they stopped, and go on", async () => {
    const { user, did } = stage(ApprovalsScreen, "approvals", { lists: [page({ ...started, problem: "The disk is full." }, lines)] }, "list:l1");
    expect(await screen.findByText(/The disk is full/)).toBeVisible();
    await user.click(await button("Go on"));
    expect(did("lists.start")).toHaveLength(1);
  });

  it("that cannot be read leave the queue as it is", async () => {
    stage(ApprovalsScreen, "approvals", { cards: [card()], calls: [call()], failing: new Map([["lists.list", "The program is busy."]]) });
    expect(await screen.findByText(/The call lists could not be read/)).toBeVisible();
    expect(await button("Approve")).toBeVisible();
  });

  it("forget one that is not open any more", async () => {
    const { went } = stage(ApprovalsScreen, "approvals", {}, "list:gone");
    await waitFor(() => expect(went).toEqual(["approvals "]));
  });

  it("fetch only the lines near the eye", async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => listLine({ line: at + 1 }));
    stage(ApprovalsScreen, "approvals", { lists: [page({ lines: 10_000, counts: [{ state: "ready", count: 10_000 }], started: true }, many)] }, "list:l1");
    const rows = within(await screen.findByRole("list", { name: "Lines" }));
    await waitFor(() => expect(rows.getAllByRole("button").length).toBeGreaterThan(5));
    expect(rows.getAllByRole("listitem").length).toBeLessThan(100);
  });

  it("are summed up in one line", () => {
    expect(listSummary(list())).toBe("3 lines, not started");
    expect(listSummary(list(started))).toBe("2 of 4 lines done");
  });
});
