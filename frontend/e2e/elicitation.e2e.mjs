// A server asks in the middle of a call; the call goes on with the answer.
import { test } from "node:test";

import { approve, openScreen, propose } from "./support/actions.mjs";
import { harness } from "./support/harness.mjs";

const it = harness();

async function ask(page, title) {
  await propose(page, title);
  await approve(page);
  const question = page.getByRole("region", { name: "The question of a server" });
  await question.getByRole("heading", { name: /asks you$/ }).waitFor();
  return question;
}

test("a form that a server asks for is filled, and the call goes on with it", async () => {
  const { page } = it;
  const question = await ask(page, "Ask with a form");
  await question.getByLabel(/^Name\b/).first().fill("Grete Hermann");
  await question.getByLabel(/^E-mail\b/).first().fill("grete@example.org");
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByRole("status").getByText("Succeeded").waitFor();
  await page.getByRole("region", { name: "Result" }).getByText("Grete Hermann").first().waitFor();
});

test("a question can be declined, and the tool hears it", async () => {
  const { page } = it;
  await ask(page, "Ask with a form");
  await page.getByRole("button", { name: "Decline" }).click();
  await page.getByRole("status").getByText(/Succeeded|Tool failed/).waitFor();
  await page.getByRole("region", { name: "Result" }).getByText(/decline/i).first().waitFor();
});

test("an address is shown in full and not opened without a click", async () => {
  const { page } = it;
  const question = await ask(page, "Ask to open an address");
  await question.getByRole("group", { name: "The full address" }).getByText(/^https?:/).first().waitFor();
  await page.getByRole("button", { name: "Open in browser" }).waitFor();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await openScreen(page, "History");
  await page.getByRole("button", { name: /^Ask to open an address/ }).waitFor();
});
