// The whole job: see a tool, fill its form, countersign exactly what will be sent, see
// the result, find it in history, also after quitting and starting again.
import assert from "node:assert/strict";
import { test } from "node:test";

import { approve, openScreen, openTool, propose } from "./support/actions.mjs";
import { harness } from "./support/harness.mjs";

const it = harness();

test("the demo server's tools are listed with icons, with no configuration", async () => {
  const { page } = it;
  await openScreen(page, "Tools");
  await page.getByText("Weather").first().waitFor();
  const icon = page.locator("main img").first();
  await icon.waitFor();
  assert.ok(await icon.evaluate((img) => img.complete && img.naturalWidth > 0), "the icon is not painted");
});

test("the card shows exactly what will be sent", async () => {
  const { page } = it;
  await propose(page, "Weather", { City: "Lisbon" });
  await page.getByText('"city": "Lisbon"').waitFor();
  for (const name of ["Approve", "Deny"]) {
    const button = page.getByRole("button", { name, exact: true });
    await button.waitFor();
    assert.equal(await button.evaluate((node) => node === document.activeElement), false, `${name} has the focus`);
  }
});

test("the call runs after the click and its result is rendered", async () => {
  const { page } = it;
  await approve(page);
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText("Lisbon").first().waitFor();
  await page.getByRole("status").getByText("Succeeded").waitFor();
});

test("the call stands in history", async () => {
  const { page } = it;
  await openScreen(page, "History");
  await page.getByRole("button", { name: /^Weather Succeeded/ }).click();
  await page.getByRole("region", { name: "Result" }).getByText("Lisbon").first().waitFor();
});

test("after a restart the tools are there from the cache, and history is intact", async () => {
  await it.app.restart();
  await it.reopen();
  const { page } = it;
  await openTool(page, "Weather");
  await openScreen(page, "History");
  await page.getByRole("button", { name: /^Weather Succeeded/ }).click();
  await page.getByRole("region", { name: "Result" }).getByText("Lisbon").first().waitFor();
});
