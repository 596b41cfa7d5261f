// No screen breaks a rule that axe can see, in either theme.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";

import { approve, openList, openScreen, openTool, propose } from "./support/actions.mjs";
import { harness } from "./support/harness.mjs";

// What can be answered is looked at once it can be: until then its buttons are off,
// and the change between the two is no state that a rule is made for.
async function clean(page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const said = violations.map((v) => `${v.id}: ${v.help}\n${v.nodes.map((n) => `    ${n.target.join(" ")}: ${n.failureSummary}`).join("\n")}`);
  assert.equal(said.length, 0, said.join("\n"));
}

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  describe(`in the ${colorScheme} theme`, () => {
    const it = harness({ colorScheme });
    for (const screen of ["Approvals", "Tools", "Servers", "History", "Settings"]) {
      test(`${screen} is clean (${colorScheme})`, async () => {
        await openScreen(it.page, screen);
        await it.page.getByRole("heading").first().waitFor();
        await clean(it.page);
      });
    }
    test(`a tool's page is clean (${colorScheme})`, async () => {
      await openTool(it.page, "Weather");
      await it.page.getByRole("button", { name: "Propose call" }).waitFor();
      await clean(it.page);
    });
    test(`a waiting card is clean (${colorScheme})`, async () => {
      await propose(it.page, "Weather", { City: "Lisbon" });
      await it.page.getByRole("button", { name: "Deny", exact: true, disabled: false }).waitFor();
      await clean(it.page);
    });
    test(`a result is clean (${colorScheme})`, async () => {
      await approve(it.page);
      await it.page.getByRole("region", { name: "Result" }).waitFor();
      await clean(it.page);
    });
    test(`a call in history is clean (${colorScheme})`, async () => {
      await openScreen(it.page, "History");
      await it.page.getByRole("button", { name: /^Weather Succeeded/ }).click();
      await it.page.getByRole("region", { name: "Result" }).waitFor();
      await clean(it.page);
    });
    test(`a question of a server is clean (${colorScheme})`, async () => {
      await propose(it.page, "Ask with a form");
      await approve(it.page);
      await it.page.getByRole("button", { name: "Submit", disabled: false }).waitFor();
      await clean(it.page);
    });
    test(`the form of a server is clean (${colorScheme})`, async () => {
      await openScreen(it.page, "Servers");
      await it.page.getByRole("button", { name: "Add server" }).click();
      await it.page.getByRole("button", { name: "Add a variable" }).click();
      await it.page.getByRole("button", { name: "Save" }).waitFor();
      await clean(it.page);
    });
    test(`a call list before its start is clean (${colorScheme})`, async () => {
      await openList(it, "cities.csv", "city,days\nOslo,2\nRome,many\n");
      await it.page.getByRole("combobox", { name: "Tool" }).waitFor();
      await clean(it.page);
      await it.page.getByRole("button", { name: "Close list" }).click();
    });
    test(`a call list on its way is clean (${colorScheme})`, async () => {
      await openList(it, "cities.jsonl", '{"server":"Demo","tool":"weather","arguments":{"city":"Oslo"}}\n{}\n{"server":"Demo","tool":"weather","arguments":{"city":"Rome"}}\n');
      await it.page.getByRole("button", { name: "Propose 2 lines" }).click();
      await it.page.getByRole("list", { name: "Lines", exact: true }).getByText("Needs approval").nth(1).waitFor();
      await clean(it.page);
    });
  });
}
