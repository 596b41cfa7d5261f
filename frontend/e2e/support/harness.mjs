// What every file of cases needs: one browser, one program on a fresh folder, and a
// page; all ended at the end, and the page's problems looked at after each case.
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { after, afterEach, before } from "node:test";
import { fileURLToPath } from "node:url";

import { App } from "./app.mjs";
import { launchBrowser, openPage } from "./browser.mjs";

const pictures = fileURLToPath(new URL("../../../build/bin/e2e/", import.meta.url));

/**
 * @param {import("playwright-core").BrowserContextOptions} [options] of the page's profile
 * @returns {{ app: App, browser: import("playwright-core").Browser,
 *   page: import("playwright-core").Page, reopen(): Promise<void> }} filled before the first case
 */
export function harness(options) {
  /** @type {any} */
  const it = {};

  it.reopen = async () => {
    await it.context?.close();
    const opened = await openPage(it.browser, it.app.url, options);
    it.page = opened.page;
    it.context = opened.context;
    it.problems = opened.problems;
  };

  before(async () => {
    it.app = await App.create();
    await it.app.start();
    it.browser = await launchBrowser();
    await it.reopen();
  });

  afterEach(async (t) => {
    const found = it.problems.splice(0);
    await mkdir(pictures, { recursive: true });
    const name = t.name.replace(/[^a-z0-9]+/gi, "-").toLowerCase();
    await it.page.screenshot({ path: `${pictures}${name}.png` }).catch(() => {});
    assert.deepEqual(found, [], "the page reported errors");
  });

  after(async () => {
    await it.browser?.close();
    await it.app?.remove();
  });
  return it;
}
