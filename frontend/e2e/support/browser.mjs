// Debian's Chromium, driven by playwright-core: no browser is downloaded.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const places = [
  process.env.COUNTERSIGN_CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

export async function launchBrowser() {
  const executablePath = places.find((place) => place && existsSync(place));
  if (!executablePath) {
    throw new Error("no Chromium found; build/linux/setup.sh test installs it");
  }
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
}

// A browser asks for an icon that a window has no use for.
const notOurs = /\/favicon\.ico$/;

const ipc = fileURLToPath(new URL("ipc.js", import.meta.url));

/**
 * A fresh profile with one page. Whatever the page reports as an error, a policy
 * breach included, is kept in `problems`: every test ends by looking at it.
 *
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const problems = [];
  page.on("pageerror", (error) => {
    problems.push(error.stack ?? String(error));
  });
  page.on("console", (message) => {
    if (message.type() === "error" && !notOurs.test(message.location().url)) problems.push(message.text());
  });
  await page.route("**/wails/ipc.js", (route) => route.fulfill({ path: ipc, contentType: "text/javascript" }));
  await page.goto(url);
  return { page, context, problems };
}
