// A link in a result is read from its server when the person says so, and what came
// stays with the result.
import assert from "node:assert/strict";
import { test } from "node:test";

import { approve, openScreen, propose } from "./support/actions.mjs";
import { harness } from "./support/harness.mjs";

const it = harness();

const block = (page) => page.getByRole("group", { name: "Link to a resource 3" });

test("nothing is read by itself", async () => {
  const { page } = it;
  await propose(page, "Mixed content");
  await approve(page);
  await block(page).getByText("demo://guide").waitFor();
  await block(page).getByText("Nothing was opened.").waitFor();
  assert.equal(await block(page).locator("a").count(), 0);
});

test("a click reads it, and shows what came below the link", async () => {
  const { page } = it;
  await block(page).getByRole("button", { name: "Read from the server" }).click();
  await block(page).getByText("Succeeded").waitFor();
  await block(page).getByRole("group", { name: "Resource 1" }).first().waitFor();
});

test("it stands in the history, and with the result after a restart", async () => {
  await it.app.restart();
  await it.reopen();
  const { page } = it;
  await openScreen(page, "History");
  await page.getByRole("button", { name: /^Resource: The demo guide Succeeded/ }).waitFor();
  await page.getByRole("button", { name: /^Mixed content Succeeded/ }).click();
  await block(page).getByRole("group", { name: "Resource 1" }).first().waitFor();
});
