// What a person does in the window, by role and name only.
import { writeFile } from "node:fs/promises";
import path from "node:path";

/** @typedef {import("playwright-core").Page} Page */

/** An entry of the rail: Approvals, Tools, Servers, History, Settings. */
export function railItem(page, name) {
  const rail = page.getByRole("navigation");
  const wanted = { name: new RegExp(`^${name}\\b`) };
  return rail.getByRole("link", wanted).or(rail.getByRole("button", wanted)).first();
}

export async function openScreen(page, name) {
  await railItem(page, name).click();
}

/** Opens a tool's page from the list of tools. */
export async function openTool(page, title) {
  await openScreen(page, "Tools");
  await page.getByRole("button", { name: new RegExp(`^${title}\\b`) }).click();
  await page.getByRole("heading", { name: title, level: 1 }).waitFor();
}

/**
 * Fills the form of a tool and proposes the call.
 * @param {Page} page
 * @param {string} title the tool's title
 * @param {Record<string, string>} [fields] by label
 */
export async function propose(page, title, fields = {}) {
  await openTool(page, title);
  for (const [label, value] of Object.entries(fields)) {
    await page.getByLabel(new RegExp(`^${label}\\b`)).first().fill(value);
  }
  await page.getByRole("button", { name: "Propose call" }).click();
}

/** Answers the card on screen, to which proposing leads by itself. */
export async function approve(page) {
  await page.getByRole("button", { name: "Approve", exact: true }).click();
}

export async function deny(page, reason) {
  if (reason) await page.getByLabel(/reason/i).fill(reason);
  await page.getByRole("button", { name: "Deny", exact: true }).click();
}

/** Waits until the call on screen has come to that end. */
export async function outcome(page, words) {
  await page.getByText(words).first().waitFor();
}

/**
 * Opens a call list that holds this text, from the approvals.
 * @param {{ app: import("./app.mjs").App, page: Page }} it
 */
export async function openList({ app, page }, name, text) {
  const file = path.join(app.home, name);
  await writeFile(file, text);
  await app.choose(file);
  await openScreen(page, "Approvals");
  await page.getByRole("button", { name: "Open a call list" }).first().click();
  await page.getByRole("heading", { name }).waitFor();
}
