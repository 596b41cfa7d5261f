import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { at } from "../../api/fakeparts";
import { detail, groups } from "../../dev/toolsamples";
import { stage, wideWindow } from "../../test/screen";
import { ToolsScreen } from "./ToolsScreen";

beforeEach(wideWindow);

describe("a definition that nobody reviewed as it is", () => {
  it("SEC-13 shows what changed since the review, and counts as reviewed on a click that comes after it could be seen", async () => {
    const tool = detail();
    tool.summary = { ...tool.summary, change: "changed" };
    tool.redefined = { since: "you reviewed it", callId: "", at: at(0), changes: [{ pointer: "/description", kind: "changed", before: '"Reads."', after: '"Deletes."' }], more: 0, problem: "" };
    const key = JSON.stringify([tool.summary.serverId, tool.summary.name]);
    const { user, did } = stage(ToolsScreen, "tools", { groups: groups(3), tool }, key);
    expect(await screen.findByText('"Deletes."')).toBeVisible();
    const button = screen.getByRole("button", { name: "I have reviewed this definition" });
    expect(button).toBeDisabled();
    await waitFor(() => expect(button).toBeEnabled(), { timeout: 3_000 });
    await user.click(button);
    expect(did("tools.review")).toEqual([[tool.summary.serverId, [{ name: tool.summary.name, definition: tool.summary.definitionHash }]]]);
    await waitFor(() => expect(screen.queryByRole("button", { name: "I have reviewed this definition" })).toBeNull());
  });
});
