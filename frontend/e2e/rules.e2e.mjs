// An answer is remembered: a rule is made from a call that waits, decides it and the
// next ones like it, and nothing else; it is revoked, and calls ask again.
import assert from "node:assert/strict";
import { test } from "node:test";

import { openScreen, openTool, propose } from "./support/actions.mjs";
import { harness } from "./support/harness.mjs";

const it = harness();

test("a rule is made from a call that waits, and decides it", async () => {
  const { page } = it;
  await propose(page, "Weather", { City: "Lisbon" });
  await page.getByRole("button", { name: "Make a rule for calls like this" }).click();
  await page.getByRole("heading", { name: "Remember an answer" }).waitFor();
  const named = await page.getByRole("textbox", { name: /^Argument/ }).evaluateAll((boxes) => boxes.map((box) => box.value));
  assert.ok(named.includes("/city"), `it names ${named.join(", ")}`);
  await page.getByText("Saving it also decides this call that waits:").waitFor();
  await page.getByRole("button", { name: "Try it on the history" }).click();
  await page.getByText(/Of 1 calls it would have allowed 1/).waitFor();
  await page.getByRole("button", { name: "Save rule" }).click();
  await page.getByRole("region", { name: "The rule" }).getByText("It decided 1 call.").waitFor();
});

test("a call like it runs without asking, and the record says why", async () => {
  const { page } = it;
  await propose(page, "Weather", { City: "Lisbon" });
  await page.getByRole("status").getByText("Succeeded").waitFor();
  await page.getByText("Allow Weather", { exact: true }).first().waitFor();
});

test("another call asks", async () => {
  const { page } = it;
  await propose(page, "Weather", { City: "Oslo" });
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
});

test("after a restart it still stands; revoked, it does not", async () => {
  await it.app.restart();
  await it.reopen();
  const { page } = it;
  await openTool(page, "Weather");
  await page.getByText("Its server is not running now.").waitFor({ state: "hidden" });
  await propose(page, "Weather", { City: "Lisbon" });
  await page.getByRole("status").getByText("Succeeded").waitFor();
  await openScreen(page, "Rules");
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByRole("region", { name: "The rule" }).getByText("Revoked").waitFor();
  await propose(page, "Weather", { City: "Lisbon" });
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
});
