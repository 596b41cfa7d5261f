// A call list: opened, proposed several at a time, answered, reported and closed.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";

import { approve, deny, openList, openScreen } from "./support/actions.mjs";
import { harness } from "./support/harness.mjs";

const it = harness();

const line = (city) => JSON.stringify({ server: "Demo", tool: "weather", arguments: { city }, id: `about ${city}` });

/** The state of each line, once they are these. */
async function states(...wanted) {
  const rows = it.page.getByRole("list", { name: "Lines", exact: true }).getByRole("button");
  for (const [at, state] of wanted.entries()) await rows.nth(at).filter({ hasText: state }).waitFor();
  return rows;
}

test("a call list is proposed line by line, and nothing of it is sent unapproved", async () => {
  const { page } = it;
  await openList(it, "cities.jsonl", [line("Oslo"), "{", line("Lisbon"), line("Rome")].join("\n"));
  await page.getByText("1 line cannot be used").waitFor();
  await page.getByLabel("Calls at once").fill("1");
  await page.getByRole("button", { name: "Propose 3 lines" }).click();
  let rows = await states("Needs approval", "Not proposed", "Not proposed yet", "Not proposed yet");

  await rows.nth(0).click();
  await page.getByText("Call list cities.jsonl, line 1").waitFor();
  await approve(page);
  await page.getByRole("button", { name: /^cities\.jsonl/ }).click();
  rows = await states("Succeeded", "Not proposed", "Needs approval", "Not proposed yet");
  await rows.nth(2).click();
  await deny(page, "not this one");
  await page.getByRole("button", { name: /^cities\.jsonl/ }).click();
  await states("Succeeded", "Not proposed", "Denied", "Needs approval");

  const report = path.join(it.app.home, "report.jsonl");
  await it.app.choose(report);
  await page.getByRole("button", { name: "Save report" }).click();
  await page.getByText("The report was saved.").waitFor();
  const saved = (await readFile(report, "utf8")).trim().split("\n").map((one) => JSON.parse(one));
  assert.deepEqual(saved.map(({ line, id, state, reason }) => [line, id, state, reason]), [
    [1, "about Oslo", "succeeded", undefined],
    [2, undefined, "not_proposed", undefined],
    [3, "about Lisbon", "denied", "not this one"],
    [4, "about Rome", "awaiting_approval", undefined],
  ]);
  assert.match(JSON.stringify(saved[0].result), /Oslo/);

  await page.getByRole("button", { name: "Close list" }).click();
  await page.getByRole("button", { name: "Close and withdraw" }).click();
  await page.getByText("Nothing waits for you").waitFor();
  await openScreen(page, "History");
  await page.getByRole("button", { name: /^Weather Withdrawn/ }).waitFor();
});

test("a table is proposed with the tool that was chosen for its columns", async () => {
  const { page } = it;
  await openList(it, "cities.csv", "city\nOslo\n");
  await page.getByRole("combobox", { name: "Tool" }).click();
  await page.getByRole("option", { name: "Weather", exact: true }).click();
  await page.getByRole("button", { name: "Propose 1 line" }).click();
  const rows = await states("Needs approval");
  await rows.nth(0).click();
  await page.getByText("Call list cities.csv, line 2").waitFor();
  await approve(page);
  await page.getByRole("button", { name: /^cities\.csv/ }).click();
  await states("Succeeded");
});
