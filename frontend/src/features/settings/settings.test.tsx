import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { emptyWorld } from "../../api/fake";
import { stage } from "../../test/screen";
import { SettingsScreen } from "./SettingsScreen";

describe("settings", () => {
  it("show where everything is and what stands for the record", async () => {
    const { settings } = emptyWorld();
    stage(SettingsScreen, "settings", { settings: { ...settings, keyring: { persistent: false, reason: "there is no keyring" } } });
    for (const text of [settings.dataDir, settings.headRoot, "45", "0.1.0", "held for this run only: there is no keyring"]) expect(await screen.findByText(text)).toBeVisible();
  });

  it("set the theme and the deadline at once", async () => {
    const { user, did } = stage(SettingsScreen, "settings");
    await user.click(await screen.findByRole("radio", { name: "Dark" }));
    await waitFor(() => expect(did("settings.set")).toEqual([[{ theme: "dark", approvalDeadlineSeconds: 0 }]]));
    await user.click(screen.getByRole("combobox", { name: "A card waits for your answer" }));
    await user.click(await screen.findByRole("option", { name: "5 min" }));
    await waitFor(() => expect(did("settings.set").at(-1)).toEqual([{ theme: "dark", approvalDeadlineSeconds: 300 }]));
  });

  it("keep a deadline that is none of the usual ones", async () => {
    const { settings } = emptyWorld();
    stage(SettingsScreen, "settings", { settings: { ...settings, approvalDeadlineSeconds: 77 } });
    expect(await screen.findByRole("combobox", { name: "A card waits for your answer" })).toHaveValue("1 min 17 s");
  });

  it("go back when they were not saved, and say why", async () => {
    const { user } = stage(SettingsScreen, "settings", { failing: new Map([["settings.set", "The disk is full."]]) });
    await user.click(await screen.findByRole("radio", { name: "Dark" }));
    expect(await screen.findByText(/The disk is full/)).toBeVisible();
    await waitFor(() => expect(screen.getByRole("radio", { name: "As the system" })).toBeChecked());
  });

  it("say that they are being read, and what failed", async () => {
    stage(SettingsScreen, "settings", { silent: new Set(["settings.get"]) });
    expect(await screen.findByRole("status", { name: "Reading the settings" })).toBeVisible();
  });

  it("say what failed and try again", async () => {
    const { fake, user } = stage(SettingsScreen, "settings", { failing: new Map([["settings.get", "The file is locked."]]) });
    expect(await screen.findByText(/The file is locked/)).toBeVisible();
    fake.world.failing.clear();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("45")).toBeVisible();
  });
});
