// A denied call is never sent, and the record says so with the reason.
import assert from "node:assert/strict";
import { test } from "node:test";

import { deny, openScreen, propose } from "./support/actions.mjs";
import { harness } from "./support/harness.mjs";

const it = harness();

test("a denied call is not sent, and history keeps the reason", async () => {
  const { page } = it;
  await propose(page, "Weather", { City: "Oslo" });
  await deny(page, "wrong city");
  await openScreen(page, "History");
  await page.getByRole("button", { name: /^Weather Denied/ }).click();
  await page.getByText("wrong city").first().waitFor();
  assert.equal(await page.getByRole("region", { name: "Result" }).count(), 0, "a denied call has a result");
});
