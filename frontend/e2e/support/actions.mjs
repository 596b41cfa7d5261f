// What a person does in the window, by role and name only.

/** @typedef {import("playwright-core").Page} Page */

/** A screen of the rail: Approvals, Tools, Servers, History, Settings. */
export async function openScreen(page, name) {
  const rail = page.getByRole("navigation");
  const wanted = { name: new RegExp(`^${name}\\b`) };
  await rail.getByRole("link", wanted).or(rail.getByRole("button", wanted)).first().click();
}

/** Opens a tool's page from the list of tools. */
export async function openTool(page, title) {
  await openScreen(page, "Tools");
  const wanted = { name: new RegExp(title) };
  await page.getByRole("link", wanted).or(page.getByRole("button", wanted)).or(page.getByRole("option", wanted)).first().click();
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
    await page.getByLabel(label, { exact: false }).first().fill(value);
  }
  await page.getByRole("button", { name: "Propose call" }).click();
}

/** The button of the card on screen; it counts only 600 ms after the card was shown. */
export async function approve(page) {
  await openScreen(page, "Approvals");
  await page.getByRole("button", { name: "Approve", exact: true }).click();
}

export async function deny(page, reason) {
  await openScreen(page, "Approvals");
  if (reason) await page.getByLabel(/reason/i).fill(reason);
  await page.getByRole("button", { name: "Deny", exact: true }).click();
}
