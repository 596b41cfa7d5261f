import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { bytes, detail, ended, result } from "../../api/fakeparts";
import type { BlockView, CallDetail } from "../../api/types";
import { stage, wideWindow } from "../../test/screen";
import { HistoryScreen } from "../history/HistoryScreen";

beforeEach(wideWindow);

function link(part: Partial<BlockView> = {}): BlockView {
  return { index: 0, type: "resource_link", text: null, handle: "", mime: "text/plain", sniffed: "", uri: "file:///notes/a\u202eb", name: "a", title: "Notes", description: "", size: 12, audience: [], raw: "{}", problem: "", ...part };
}

function world(part: Partial<CallDetail> = {}) {
  const call = ended();
  return { calls: [call], details: new Map([[call.id, detail({ call, result: result({ blocks: [link()], structured: null }), ...part })]]) };
}

async function enabled(name: string): Promise<HTMLElement> {
  const found = await screen.findByRole("button", { name });
  await waitFor(() => expect(found).toBeEnabled(), { timeout: 3_000 });
  return found;
}

describe("a link of a result", () => {
  it("RSRC-06 is read on a click that comes after it could be seen, and shown in its place", async () => {
    const { user, did, fake } = stage(HistoryScreen, "history", world(), "c1");
    expect(await screen.findByText("Nothing was opened.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Read from the server" })).toBeDisabled();
    await user.click(await enabled("Read from the server"));
    expect(did("calls.read")).toEqual([["c1", 0]]);
    const block = await screen.findByRole("group", { name: "Link to a resource 1" });
    expect(await within(block).findByText("running")).toBeVisible();
    await user.click(within(block).getByRole("button", { name: "Cancel" }));
    expect(did("calls.cancel")).toEqual([["c1-read0"]]);
    const child = fake.world.calls.find((one) => one.id === "c1-read0");
    if (child === undefined) throw new Error("nothing was read");
    fake.world.details.set(child.id, detail({ call: { ...child, state: "succeeded" }, result: result({ blocks: [link({ type: "resource", text: bytes("what the notes say") })], structured: null }) }));
    Object.assign(child, { state: "succeeded" });
    fake.tell("calls", "c1");
    expect(await within(block).findByText("what the notes say")).toBeVisible();
    expect(within(block).getByRole("button", { name: "Read again" })).toBeEnabled();
    expect(block.querySelector("a")).toBeNull();
  });

  it("says why it cannot be read now", async () => {
    stage(HistoryScreen, "history", world({ unreadable: "Files is not running: start it first." }), "c1");
    expect(await screen.findByText("Files is not running: start it first.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Read from the server" })).toBeDisabled();
  });

  it("RSRC-02 tells of a resource that is not there", async () => {
    const read = ended({ id: "r1", method: "resources/read", tool: "file:///notes/a\u202eb", state: "protocol_failed" });
    const made = world({ reads: [read] });
    made.calls.push(read);
    made.details.set("r1", detail({ call: read, result: result({ blocks: [], structured: null, error: { code: -32002, message: "not here", data: "" } }) }));
    stage(HistoryScreen, "history", made, "c1");
    expect(await screen.findByText("The server says that it has no such resource.")).toBeVisible();
  });

  it("a read stands in the history as what it is, and is not run again as a call", async () => {
    const read = ended({ id: "r1", method: "resources/read", tool: "file:///notes/a", toolTitle: "" });
    stage(HistoryScreen, "history", { calls: [read] }, "r1");
    expect((await screen.findAllByText("Resource: file:///notes/a"))[0]).toBeVisible();
    expect(screen.queryByRole("button", { name: "Run again" })).toBeNull();
  });
});
