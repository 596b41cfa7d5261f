import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { call, card, ended, rule, ruleDraft } from "../../api/fakeparts";
import type { RuleDraft } from "../../api/types";
import { stage, wideWindow } from "../../test/screen";
import { splitJson } from "./Conditions";
import { RulesScreen } from "./RulesScreen";
import { lifeOf, standing } from "./words";

beforeEach(wideWindow);

const saved = (did: (name: string) => unknown[][]) => did("rules.save")[0] as [RuleDraft, string[]];

describe("the list of rules", () => {
  it("says what belongs there when nothing is remembered", async () => {
    const { user, went } = stage(RulesScreen, "rules");
    await user.click(await screen.findByRole("button", { name: "Go to approvals" }));
    expect(went).toEqual(["approvals"]);
  });

  it("says what failed and tries again", async () => {
    const { user, fake } = stage(RulesScreen, "rules", { failing: new Map([["rules.list", "The disk is gone."]]), rules: [rule()] });
    expect(await screen.findByText(/The disk is gone/)).toBeVisible();
    fake.world.failing.clear();
    await user.click(screen.getByRole("button", { name: /again/i }));
    expect((await screen.findAllByText("Allow Weather"))[0]).toBeVisible();
  });

  it("tells how each rule stands, and for how long", () => {
    expect(standing(rule({ foreign: true })).word).toBe("Foreign");
    expect(standing(rule({ revoked: true, paused: true })).word).toBe("Revoked");
    expect(standing(rule({ ended: "Its calls are used up." })).word).toBe("Over");
    expect(standing(rule({ stale: "The definition changed since: it does not speak until you save it anew." })).word).toBe("Does not fit");
    expect(standing(rule({ stale: "1 of 3 tools changed since, and ask." })).word).toBe("Allows");
    expect(lifeOf(rule({ callsLeft: 1, secondsLeft: 90, untilQuit: true }))).toMatch(/^1 call left, .+ left, until Countersign is closed$/);
    expect(lifeOf(rule())).toBe("until it is revoked");
  });

  it("shows what a rule says and did; it is paused, and revoked", async () => {
    const { user, did, went } = stage(RulesScreen, "rules", { rules: [rule()] }, "r1");
    const pane = await screen.findByRole("region", { name: "The rule" });
    expect(within(pane).getByText('/city is "Lisbon"')).toBeVisible();
    expect(within(pane).getByText(/It decided 4 calls/)).toBeVisible();
    await user.click(within(pane).getByRole("button", { name: "Pause" }));
    await user.click(await within(pane).findByRole("button", { name: "Let it speak again" }));
    expect(did("rules.pause")).toEqual([["r1", true], ["r1", false]]);
    await user.click(within(pane).getByRole("button", { name: "Show the last one" }));
    expect(went.at(-1)).toBe("history c1");
    await user.click(within(pane).getByRole("button", { name: "Revoke" }));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Revoke" })).toBeNull());
  });

  it("says of a foreign rule that it allows nothing, and offers nothing to do with it", async () => {
    stage(RulesScreen, "rules", { rules: [rule({ foreign: true, name: "All\u202e of it" })] }, "r1");
    expect(await screen.findByText(/did not write this rule/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Edit" })).toBeNull();
    expect(screen.getAllByText("U+202E").length).toBeGreaterThan(0);
  });
});

describe("making a rule", () => {
  const world = () => ({ cards: [card()], calls: [call()], preview: { problem: "", says: ['/city is "Lisbon"'], tools: ["weather"], waiting: [call()] } });

  it("begins with every argument of the call, and saves what was made of it with the calls it decides", async () => {
    const { user, did, went } = stage(RulesScreen, "rules", world(), "from c1");
    const conditions = await screen.findByRole("group", { name: "Conditions" });
    expect(within(conditions).getByLabelText<HTMLInputElement>("Argument 1").value).toBe("/city");
    const days = within(conditions).getByLabelText("Value of condition 2");
    await user.clear(days);
    await user.type(days, "5");
    expect(await screen.findByText("Saving it also decides this call that waits:")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Save rule" }));
    const [draft, settle] = saved(did);
    expect([draft.where[0]?.values, draft.where[1]?.values, settle]).toEqual([['"Lisbon"'], ["5"], ["c1"]]);
    await waitFor(() => expect(went.at(-1)).toBe("rules r1"));
  });

  it("lets an argument be anything, only where that is chosen", async () => {
    const { user, did } = stage(RulesScreen, "rules", world(), "from c1");
    await user.click(await screen.findByRole("combobox", { name: "Condition 2" }));
    await user.click(await screen.findByRole("option", { name: "may be anything" }));
    expect(screen.getByText("Its value does not matter.")).toBeVisible();
    await user.click(await screen.findByRole("button", { name: "Save rule" }));
    expect([saved(did)[0].where.length, saved(did)[0].anyValue]).toEqual([1, ["/days"]]);
  });

  it("remembers nothing by a default: limits and levels are chosen", async () => {
    const { user, did } = stage(RulesScreen, "rules", world(), "from c1");
    await user.click(await screen.findByRole("radio", { name: "This tool" }));
    await user.click(screen.getByRole("checkbox", { name: "Only until Countersign is closed" }));
    const calls = screen.getByLabelText("Calls");
    await user.clear(calls);
    await user.type(calls, "3");
    await user.click(screen.getByRole("button", { name: "Save rule" }));
    expect(saved(did)[0]).toMatchObject({ level: "tool", untilQuit: true, calls: 3, minutes: 0, destructive: false });
  });

  it("says why it cannot be saved", async () => {
    stage(RulesScreen, "rules", { ...world(), preview: { problem: "Review the tool's definition first.", says: [], tools: [], waiting: [] } }, "from c1");
    expect(await screen.findByText("Review the tool's definition first.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Save rule" })).toBeDisabled();
    expect(screen.getByRole("button", { name: "Try it on the history" })).toBeDisabled();
  });

  it("is tried on the history, the unusual calls first", async () => {
    const replay = { done: 200, total: 200, running: false, problem: "", matched: 37, rest: 163, unusual: [{ call: ended({ state: "denied" }), args: '{"city":"Rome"}', why: "You denied it." }] };
    const { user, did } = stage(RulesScreen, "rules", { ...world(), replay }, "from c1");
    await screen.findByText("No call that waits now is covered by it.").catch(() => undefined);
    await waitFor(() => expect(screen.getByRole("button", { name: "Try it on the history" })).toBeEnabled());
    await user.click(screen.getByRole("button", { name: "Try it on the history" }));
    expect(await screen.findByText(/Of 200 calls it would have allowed 37/)).toBeVisible();
    expect(screen.getByText("You denied it.")).toBeVisible();
    expect(did("rules.save")).toEqual([]);
  });

  it("edits a rule that stands", async () => {
    const { user, did } = stage(RulesScreen, "rules", { rules: [rule({ draft: ruleDraft({ id: "r1", callId: "" }) })] }, "edit r1");
    expect(await screen.findByRole("heading", { name: "Edit the rule" })).toBeVisible();
    expect(screen.queryByRole("radio", { name: "This exact call" })).toBeNull();
    await waitFor(() => expect(screen.getByRole("button", { name: "Save rule" })).toBeEnabled());
    await user.click(screen.getByRole("button", { name: "Save rule" }));
    expect(saved(did)[0].id).toBe("r1");
  });

  it("takes JSON values one after another", () => {
    expect(splitJson('"a b" 2, true "c\\"d"')).toEqual(['"a b"', "2", "true", '"c\\"d"']);
  });
});
