// The whole job without a mouse.
import assert from "node:assert/strict";
import { test } from "node:test";

import { railItem } from "./support/actions.mjs";
import { harness } from "./support/harness.mjs";
import { focusIsVisible, reach } from "./support/keyboard.mjs";

const it = harness();

test("a call is proposed, approved and found in history by keyboard only", async () => {
  const { page } = it;
  await reach(page, railItem(page, "Tools"));
  assert.ok(await focusIsVisible(page), "the rail shows no focus");
  await page.keyboard.press("Enter");

  await reach(page, page.getByLabel("Search tools"));
  await page.keyboard.type("weather");
  await reach(page, page.getByRole("button", { name: /^Weather\b/ }));
  await page.keyboard.press("Enter");

  await reach(page, page.getByLabel(/^City/));
  await page.keyboard.type("Porto");
  await reach(page, page.getByRole("button", { name: "Propose call" }));
  assert.ok(await focusIsVisible(page), "the button shows no focus");
  await page.keyboard.press("Enter");

  const approve = page.getByRole("button", { name: "Approve", exact: true });
  await reach(page, approve);
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Result" }).getByText("Porto").first().waitFor();

  await reach(page, railItem(page, "History"));
  await page.keyboard.press("Enter");
  await reach(page, page.getByRole("button", { name: /^Weather Succeeded/ }));
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Result" }).getByText("Porto").first().waitFor();
});

test("no single key answers a card", async () => {
  const { page } = it;
  await reach(page, railItem(page, "Tools"), "Shift+Tab");
  await page.keyboard.press("Enter");
  await reach(page, page.getByRole("button", { name: "Propose call" }));
  await page.keyboard.press("Enter");
  const approve = page.getByRole("button", { name: "Approve", exact: true });
  await approve.waitFor();
  await page.waitForTimeout(900);
  for (const key of ["Enter", "Space", "a", "y", "d", "n", "Escape"]) await page.keyboard.press(key);
  await approve.waitFor();
  assert.ok(await approve.isVisible());
});
