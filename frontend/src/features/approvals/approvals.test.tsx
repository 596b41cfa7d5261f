import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { at, bytes, call, card, question } from "../../api/fakeparts";
import type { AnswerRequest } from "../../api/types";
import { stage, wideWindow } from "../../test/screen";
import { ApprovalsScreen } from "./ApprovalsScreen";
import { hostAt } from "./QuestionPane";
import { entriesOf, merge } from "./useQueue";

beforeEach(wideWindow);

const button = (name: string) => screen.findByRole("button", { name });
const one = () => ({ cards: [card()], calls: [call()] });

async function enabled(name: string): Promise<HTMLElement> {
  const found = await button(name);
  await waitFor(() => expect(found).toBeEnabled(), { timeout: 3_000 });
  return found;
}

describe("the queue", () => {
  it("takes what is new at the end, and keeps what is done while the pointer is over it", () => {
    const first = entriesOf([card({ call: call({ id: "b", created: at(2) }) }), card({ call: call({ id: "a", created: at(1) }) })], []);
    expect(first.map((entry) => entry.key)).toEqual(["a", "b"]);
    const older = entriesOf([card({ call: call({ id: "z", created: at(0) }) }), card({ call: call({ id: "b", created: at(2) }) })], []);
    expect(merge(first, older, "", true).map((entry) => [entry.key, entry.done])).toEqual([["a", true], ["b", false], ["z", false]]);
    expect(merge(first, older, "", false).map((entry) => entry.key)).toEqual(["b", "z"]);
    expect(merge(first, older, "a", false).map((entry) => entry.key)).toEqual(["a", "b", "z"]);
  });

  it("joins a call's questions in its place", () => {
    const entries = entriesOf([], [question({ id: "q1", callId: "c" }), question({ id: "q2", callId: "c" }), question({ id: "q3", callId: "" })]);
    expect(entries.map((entry) => [entry.key, entry.questions.length])).toEqual([["c", 2], ["q3", 1]]);
  });

  it("says what belongs there when nothing waits", async () => {
    const { user, went } = stage(ApprovalsScreen, "approvals");
    expect(await screen.findByText("Nothing waits for you")).toBeVisible();
    await user.click(await button("Choose a tool"));
    expect(went).toEqual(["tools"]);
  });

  it("says that it is being read, and what failed", async () => {
    stage(ApprovalsScreen, "approvals", { silent: new Set(["approvals.list"]) });
    expect(await screen.findByRole("status", { name: "Reading what waits for you" })).toBeVisible();
  });

  it("says what failed and tries again", async () => {
    const { fake, user } = stage(ApprovalsScreen, "approvals", { ...one(), failing: new Map([["approvals.list", "The file is locked."]]) });
    expect(await screen.findByText(/The file is locked/)).toBeVisible();
    fake.world.failing.clear();
    await user.click(await button("Try again"));
    expect(await button("Approve")).toBeVisible();
  });

  it("forgets a selection that is long over, and moves with the arrow keys", async () => {
    const { user, went } = stage(ApprovalsScreen, "approvals", { cards: [card(), card({ call: call({ id: "c2", toolTitle: "Chart", created: at(0) }) })] }, "gone");
    await waitFor(() => expect(went).toEqual(["approvals "]));
    const rows = within(screen.getByRole("list", { name: "Waiting for you" })).getAllByRole("button");
    rows[0]?.focus();
    await user.keyboard("{ArrowDown}{Enter}");
    expect(rows[1]).toHaveFocus();
    expect(went.at(-1)).toBe("approvals c2");
  });
});

describe("a card", () => {
  it("HDR-26 reads who, what, with exactly what, and what is unusual", async () => {
    stage(ApprovalsScreen, "approvals", {
      cards: [card({ unchecked: "Definition as of 2 March 2026, 18:04, not checked since.", notes: ["Never called before."], schemaErrors: [{ pointer: "/days", message: "must be at most 2" }], headers: [{ name: "Mcp-Param-City", value: "Lisbon" }], deadline: new Date(Date.now() + 90_000).toISOString(), origin: { kind: "agent", text: "A program", proven: false } })],
    });
    expect(await screen.findByRole("heading", { name: "Weather" })).toBeVisible();
    for (const text of ["A program", "Definition as of 2 March 2026, 18:04, not checked since.", "only claimed", "read-only", "Never called before.", "/days: must be at most 2", "Mcp-Param-City"]) expect(screen.getByText(text)).toBeVisible();
    expect(screen.getByText(/"Lisbon"/)).toBeVisible();
    expect(screen.getByRole("timer")).toHaveTextContent(/Expires in 1 min/);
  });

  it("takes an answer only a moment after it was reported as shown, and gives no button the focus", async () => {
    const { did } = stage(ApprovalsScreen, "approvals", one());
    expect(await button("Approve")).toBeDisabled();
    expect(await button("Deny")).toBeDisabled();
    await waitFor(() => expect(did("approvals.shown")).toEqual([["c1", 1]]));
    expect(await button("Approve")).toBeDisabled();
    await enabled("Approve");
    await enabled("Deny");
    expect(document.body).toHaveFocus();
  });

  it("waits while the report fails, and says why", async () => {
    const { fake } = stage(ApprovalsScreen, "approvals", { ...one(), failing: new Map([["approvals.shown", "The card is of another revision."]]) });
    expect(await screen.findByText("The card is of another revision.")).toBeVisible();
    expect(await button("Approve")).toBeDisabled();
    fake.world.failing.clear();
    await enabled("Approve");
  });

  it("approves exactly the revision and the bytes that were shown, and turns into the call", async () => {
    const { user, did } = stage(ApprovalsScreen, "approvals", one(), "c1");
    await user.click(await enabled("Approve"));
    expect(did("approvals.decide")).toEqual([[{ callId: "c1", revision: 1, hash: card().hash, approve: true, reason: "" }]]);
    expect((await screen.findAllByText("Succeeded"))[0]).toBeVisible();
    expect(screen.getByText("Lisbon: 21 °C, clear")).toBeVisible();
    expect(await button("Show in history")).toBeVisible();
    expect(within(screen.getByRole("list", { name: "Waiting for you" })).getByText("Done")).toBeVisible();
  });

  it("denies with a reason, typed or usual", async () => {
    const { user, did } = stage(ApprovalsScreen, "approvals", one(), "c1");
    await user.type(await screen.findByLabelText(/reason/i), "wrong city");
    await user.click(await enabled("Deny"));
    expect(did("approvals.decide")).toEqual([[{ callId: "c1", revision: 1, hash: card().hash, approve: false, reason: "wrong city" }]]);
  });

  it("keeps waiting when the answer is refused", async () => {
    const { user } = stage(ApprovalsScreen, "approvals", { ...one(), failing: new Map([["approvals.decide", "Everything is paused."]]) }, "c1");
    await user.click(await enabled("Approve"));
    expect(await screen.findByText(/Everything is paused/)).toBeVisible();
    await enabled("Approve");
  });

  it("edits the arguments into a new revision that is shown anew", async () => {
    const { user, did } = stage(ApprovalsScreen, "approvals", one(), "c1");
    await user.click(await button("Edit arguments"));
    expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
    const city = await screen.findByLabelText(/^City/);
    await user.clear(city);
    await user.type(city, "Oslo");
    await user.click(await button("Use these arguments"));
    await waitFor(() => expect(did("approvals.shown").at(-1)).toEqual(["c1", 2]));
    expect(JSON.parse(String(did("approvals.edit")[0]?.[2]))).toEqual({ city: "Oslo", days: 3 });
    expect(await screen.findByText("revision 2")).toBeVisible();
    await enabled("Approve");
  });

  it("does not offer to edit arguments that hold a secret or are too large", async () => {
    stage(ApprovalsScreen, "approvals", { cards: [card({ args: bytes('{"a":"«secret:X»"}', { masked: 1 }) })] });
    expect(await screen.findByText(/they hold a secret/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Edit arguments" })).toBeNull();
  });

  it("lists what a scan found, with its place", async () => {
    stage(ApprovalsScreen, "approvals", {
      cards: [
        card({
          notes: [],
          findings: [
            { kind: "bidi", pointer: "/path", name: false, piece: "U+202E", says: "Characters here change the direction of reading.", definition: false },
            { kind: "instruction", pointer: "/description", name: false, piece: "do not tell the user", says: "This speaks to a model rather than to you.", definition: true },
          ],
        }),
      ],
    });
    const found = within(await screen.findByRole("list", { name: "What a scan found" })).getAllByRole("listitem");
    expect(found.map((item) => item.textContent)).toEqual([
      "Reading direction, in the arguments at /path: Characters here change the direction of reading. U+202E",
      "Words for a model, in the definition at /description: This speaks to a model rather than to you. do not tell the user",
    ]);
    expect(screen.queryByText("Nothing that Countersign knows of.")).toBeNull();
  });

  it("shows what is new in the definition on top, and only what differs in the arguments", async () => {
    const difference = { since: "the call was first proposed", callId: "c0", at: at(0), changes: [], more: 0, problem: "" };
    stage(ApprovalsScreen, "approvals", {
      cards: [
        card({
          redefined: { ...difference, changes: [{ pointer: "/description", kind: "changed", before: '"Reads."', after: '"Deletes\u202e."' }], more: 3 },
          rearranged: { ...difference, since: "the last call of this tool that was approved", changes: [{ pointer: "/to", kind: "added", before: "", after: '"all"' }] },
        }),
      ],
    });
    const lists = await screen.findAllByRole("list", { name: "What changed" });
    expect(lists.map((list) => within(list).getAllByRole("listitem").map((item) => item.textContent))).toEqual([
      ['Changed /description−Before: "Reads."+After: "DeletesU+202E."', "and 3 more changes"],
      ['Added /to+After: "all"'],
    ]);
    const headings = screen.getAllByRole("heading").map((heading) => heading.textContent);
    expect(headings.findIndex((text) => text.startsWith("The tool's definition changed"))).toBeLessThan(headings.indexOf("With exactly this"));
  });

  it("says that the arguments are those that were approved last", async () => {
    const rearranged = { since: "the last call of this tool that was approved", callId: "c0", at: at(0), changes: [], more: 0, problem: "" };
    stage(ApprovalsScreen, "approvals", { cards: [card({ rearranged })] });
    expect(await screen.findByText("The arguments are the same.")).toBeVisible();
  });

  it("shows odd and long texts as what they are", async () => {
    stage(ApprovalsScreen, "approvals", { cards: [card({ toolTitle: "safe\u202etitle", toolDescription: "much ".repeat(200) })] });
    expect((await screen.findAllByText("U+202E"))[0]).toBeVisible();
    expect(screen.getByRole("button", { name: "More" })).toHaveAttribute("aria-expanded", "false");
  });
});

describe("single keys", () => {
  const two = () => ({ ui: { triage: "true" }, cards: [card(), card({ call: call({ id: "c2", tool: "other", toolTitle: "Other" }) })], calls: [call(), call({ id: "c2" })] });

  it("do nothing until they are switched on", async () => {
    const { user, did } = stage(ApprovalsScreen, "approvals", one(), "c1");
    await enabled("Approve");
    await user.keyboard("adjkem");
    expect([did("approvals.decide"), did("approvals.edit")]).toEqual([[], []]);
  });

  it("approve, deny, go on and back, and edit, once a card is armed", async () => {
    const { user, did, went } = stage(ApprovalsScreen, "approvals", two(), "c1");
    await button("Approve");
    await user.keyboard("a");
    expect(did("approvals.decide")).toEqual([]);
    await enabled("Approve");
    await user.keyboard("j");
    expect(went).toEqual(["approvals c2"]);
    await enabled("Approve");
    await user.keyboard("k");
    await enabled("Approve");
    await user.keyboard("e");
    await user.click(await button("Discard the edit"));
    await enabled("Deny");
    await user.keyboard("d");
    await waitFor(() => expect(did("approvals.decide")).toMatchObject([[{ callId: "c1", approve: false }]]));
  });

  it("are letters while a reason is typed, which Enter then gives", async () => {
    const { user, did } = stage(ApprovalsScreen, "approvals", two(), "c1");
    await enabled("Approve");
    await user.keyboard("r");
    await user.keyboard("a bad idea{Enter}");
    await waitFor(() => expect(did("approvals.decide")).toMatchObject([[{ callId: "c1", approve: false, reason: "a bad idea" }]]));
  });

  it("count once where a key is held, and not with Ctrl", async () => {
    const { did } = stage(ApprovalsScreen, "approvals", two(), "c1");
    await enabled("Approve");
    act(() => {
      window.dispatchEvent(new KeyboardEvent("keydown", { key: "a", repeat: true }));
      window.dispatchEvent(new KeyboardEvent("keydown", { key: "a", ctrlKey: true }));
    });
    expect(did("approvals.decide")).toEqual([]);
  });
});

describe("a question", () => {
  const world = () => ({ questions: [question()], calls: [call({ id: "c9", state: "input_required" as const })] });

  it("ELIC-04 ELIC-06 names the server and the tool, and submits what was filled in", async () => {
    const { user, did } = stage(ApprovalsScreen, "approvals", world());
    expect(await screen.findByRole("heading", { name: "Demo server asks you" })).toBeVisible();
    expect(screen.getByText("Which name shall stand on the ticket?")).toBeVisible();
    await user.type(screen.getByLabelText(/^Name/), "Ada");
    await user.click(await enabled("Submit"));
    const [sent] = (did("questions.answer")[0] ?? []) as [AnswerRequest];
    expect([sent.id, sent.action, JSON.parse(sent.contentText)]).toEqual(["q1", "accept", { name: "Ada" }]);
  });

  it.each([["Decline", "decline"], ["Cancel", "cancel"]])("ELIC-05 ELIC-22 %s sends no content", async (name, action) => {
    const { user, did } = stage(ApprovalsScreen, "approvals", world());
    await user.click(await enabled(name));
    expect(did("questions.answer")).toEqual([[{ id: "q1", action, contentText: "" }]]);
  });

  it.each([["Ask the server again", "accept"], ["Stop the call", "cancel"]])("of a call that only waited when the program was closed: %s", async (name, action) => {
    const { user, did } = stage(ApprovalsScreen, "approvals", { questions: [question({ mode: "resume", schema: "", message: "" })] });
    expect(await screen.findByRole("heading", { name: "Demo server waits to be asked again" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Decline" })).toBeNull();
    await user.click(await enabled(name));
    expect(did("questions.answer")).toMatchObject([[{ id: "q1", action }]]);
  });

  it("shows what the program finds wrong, and sends nothing", async () => {
    const { user, fake } = stage(ApprovalsScreen, "approvals", { ...world(), answers: [{ pointer: "/name", message: "is too short" }] });
    await user.type(await screen.findByLabelText(/^Name/), "A");
    await user.click(await enabled("Submit"));
    expect((await screen.findAllByText(/is too short/))[0]).toBeVisible();
    expect(fake.world.questions).toHaveLength(1);
  });

  it("ELIC-23 an address that was opened is asked about again by hand, and need not be opened twice", async () => {
    const part = { mode: "url" as const, schema: "", url: "https://bank.example/pay", host: "bank.example", round: 2, opened: true };
    const { user, did } = stage(ApprovalsScreen, "approvals", { questions: [question(part)] });
    expect(await screen.findByText(/You opened it before/)).toBeVisible();
    await enabled("Open it again");
    await enabled("Cancel");
    await user.click(await enabled("Ask the server again"));
    expect(did("questions.answer")).toEqual([[{ id: "q1", action: "accept", contentText: "" }]]);
    expect(did("questions.open")).toEqual([]);
  });

  it("ELIC-07 ELIC-19 ELIC-21 shows an address in full, never as a link, and opens it only on a click", async () => {
    const { user, did } = stage(ApprovalsScreen, "approvals", {
      questions: [question({ mode: "url", schema: "", url: "https://user@bank.example:8443/pay?to=bank.example", host: "bank.example:8443", urlWarning: "What stands before the @ is not the host." })],
    });
    const box = await screen.findByRole("group", { name: "The full address" });
    expect(box).toHaveTextContent("https://user@bank.example:8443/pay?to=bank.example");
    expect(screen.queryByRole("link")).toBeNull();
    expect(screen.getByText(/before the @/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Ask the server again" })).toBeNull();
    const own = vi.spyOn(window, "open");
    await user.click(await enabled("Open in browser"));
    expect(did("questions.open")).toEqual([["q1"]]);
    // The system's browser opens it; no window or frame of ours does.
    expect(own).not.toHaveBeenCalled();
    expect(document.querySelector("iframe, a, object, embed")).toBeNull();
    own.mockRestore();
  });

  it("ELIC-13 that cannot be answered can be declined, and no field of it is drawn", async () => {
    stage(ApprovalsScreen, "approvals", { questions: [question({ problem: "The server's form is not one that a question may have." })] });
    expect(await screen.findByText(/not one that a question may have/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Submit" })).toBeNull();
    expect(screen.queryByRole("textbox")).toBeNull();
    await enabled("Cancel");
    await enabled("Decline");
  });

  it("comes in the place of the call that asks", async () => {
    const { fake } = stage(ApprovalsScreen, "approvals", { calls: [call({ id: "c9", state: "sent" })] }, "c9");
    expect(await screen.findByText("running")).toBeVisible();
    fake.world.questions = [question()];
    act(() => fake.tell("questions"));
    expect(await button("Submit")).toBeVisible();
  });

  it("ELIC-20 finds the host where it is, not where its letters occur first", () => {
    expect(hostAt("https://a.example/b.example", "a.example")).toBe(8);
    expect(hostAt("https://b.example@a.example/", "a.example")).toBe(18);
    expect(hostAt("https://A.example", "a.example")).toBe(8);
    expect(hostAt("https://evil.example/?u=@a.example", "a.example")).toBe(-1);
    expect(hostAt("nothing", "a")).toBe(-1);
  });
});
