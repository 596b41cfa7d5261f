import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fakeBackend, type World } from "../api/fake";
import { card, call, question } from "../api/fakeparts";
import type { CallDetail } from "../api/types";
import { App } from "./App";
import { guardWindow } from "./guards";

function open(world: Partial<World> = {}) {
  const fake = fakeBackend(world);
  render(<App backend={fake} />);
  return { fake, user: userEvent.setup(), did: (name: string) => fake.did.filter((one) => one.name === name).map((one) => one.args) };
}

const nav = async (name: string | RegExp) => within(await screen.findByRole("navigation")).findByRole("button", { name });

describe("the start", () => {
  it("waits for the program while it is starting", async () => {
    const { fake } = open({ failing: new Map([["settings.hello", "It is starting."]]) });
    expect(screen.getByLabelText("Starting")).toBeVisible();
    fake.world.failing.clear();
    expect(await screen.findByRole("navigation")).toBeVisible();
  });

  it("says what is wrong, and tries again when asked", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { fake } = open({ failing: new Map([["settings.hello", "The data folder is gone."]]) });
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(screen.getByText(/The data folder is gone/)).toBeVisible();
    vi.useRealTimers();
    fake.world.failing.clear();
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("navigation")).toBeVisible();
  });
});

describe("the window", () => {
  it("starts on the tools, counts what waits, and goes from screen to screen", async () => {
    const { user, fake } = open({ cards: [card()], questions: [question()] });
    expect(await nav("Tools")).toHaveAttribute("aria-current", "page");
    await user.click(await nav(/^Approvals, 2 waiting/));
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Approvals");
    for (const name of ["Servers", "History", "Settings"]) {
      await user.click(await nav(name));
      expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent(name);
    }
    await user.keyboard("{Control>}2{/Control}");
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Tools");
    await waitFor(() => expect(fake.world.ui["route"]).toBe('{"screen":"tools","item":""}'));
  });

  it("comes back to where it was, and survives what it does not know", async () => {
    open({ ui: { route: '{"screen":"history","item":"h1"}' } });
    expect(await nav("History")).toHaveAttribute("aria-current", "page");
  });

  it("stays where the person went while a late answer wanted to lead elsewhere", async () => {
    const fake = fakeBackend({ ui: { route: '{"screen":"approvals","item":"gone"}' } });
    let answer: (detail: CallDetail) => void = () => {};
    const late = new Promise<CallDetail>((resolve) => (answer = resolve));
    const detail = vi.spyOn(fake.calls, "detail").mockReturnValue(late);
    render(<App backend={fake} />);
    await waitFor(() => expect(detail).toHaveBeenCalledWith("gone"));
    fireEvent.click(await nav("Tools"));
    await act(async () => {
      answer({ call: call({ id: "gone", finishedAt: "2026-01-01T00:00:00Z" }) } as CallDetail);
      await late;
    });
    expect(await nav("Tools")).toHaveAttribute("aria-current", "page");
  });

  it("survives a kept place of another version", async () => {
    open({ ui: { route: '{"screen":"insights"}', items: "7" } });
    expect(await nav("Tools")).toHaveAttribute("aria-current", "page");
  });

  it("shows what runs on every screen, with progress and a cancel for each", async () => {
    const running = call({ id: "r1", state: "sent", toolTitle: "Long job", progress: { progress: 4, total: 10, message: "reading" } });
    const { user, did } = open({ calls: [running], ui: { route: '{"screen":"settings","item":""}' } });
    const strip = await screen.findByRole("region", { name: "Running calls" });
    expect(await within(strip).findByText("40 %, reading")).toBeVisible();
    expect(within(strip).getByRole("progressbar", { name: "Progress of Long job" })).toHaveAttribute("aria-valuenow", "40");
    await user.click(within(strip).getByRole("button", { name: "Cancel Long job" }));
    expect(did("calls.cancel")).toEqual([["r1"]]);
    expect(await within(strip).findByText("Nothing is running.")).toBeVisible();
  });

  it("pauses and resumes everything", async () => {
    const { user, did } = open();
    await user.click(await screen.findByRole("button", { name: "Pause everything" }));
    expect(await screen.findByText(/nothing is sent until you resume/)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Resume" }));
    expect(await screen.findByRole("button", { name: "Pause everything" })).toBeVisible();
    expect(did("calls.pause")).toEqual([[true], [false]]);
  });

  it("puts notices away", async () => {
    const { user, did } = open({ notices: [{ id: "n", level: "warning", text: "There is no keyring.", hint: "Start one." }] });
    expect(await screen.findByText("There is no keyring. Start one.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Dismiss: There is no keyring." }));
    expect(did("settings.dismissNotice")).toEqual([["n"]]);
    await waitFor(() => expect(screen.queryByText(/There is no keyring/)).toBeNull());
  });

  it("keeps a fault within its screen", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { user, fake } = open({ ui: { route: '{"screen":"servers","item":""}' } });
    await screen.findByRole("navigation");
    fake.world.servers = [null as never];
    fake.servers.list = () => Promise.resolve([null as never]);
    act(() => fake.tell("servers"));
    expect(await screen.findByText("Servers could not be shown")).toBeVisible();
    await user.click(await nav("Settings"));
    expect(await screen.findByText("Data folder")).toBeVisible();
    vi.restoreAllMocks();
  });

  it("follows the theme of the settings", async () => {
    const { fake } = open();
    await screen.findByRole("navigation");
    fake.world.settings.theme = "dark";
    act(() => fake.tell("settings"));
    await waitFor(() => expect(document.documentElement).toHaveAttribute("data-mantine-color-scheme", "dark"));
  });
});

describe("the guard", () => {
  let undo = () => {};
  afterEach(() => undo());

  it("lets nothing navigate, open a window, or load the page again", () => {
    undo = guardWindow(window);
    const link = document.createElement("a");
    link.setAttribute("href", "https://example.com/");
    const form = document.createElement("form");
    const field = document.createElement("input");
    document.body.replaceChildren(link, form, field);
    const stopped = (target: EventTarget, event: Event) => !target.dispatchEvent(event);
    const plain = { bubbles: true, cancelable: true };
    expect(stopped(link, new MouseEvent("click", plain))).toBe(true);
    expect(stopped(link, new MouseEvent("auxclick", plain))).toBe(true);
    expect(stopped(form, new Event("submit", plain))).toBe(true);
    expect(stopped(document.body, new Event("drop", plain))).toBe(true);
    expect(stopped(field, new Event("drop", plain))).toBe(false);
    expect(stopped(document.body, new MouseEvent("contextmenu", plain))).toBe(true);
    expect(stopped(field, new MouseEvent("contextmenu", plain))).toBe(false);
    expect(stopped(document.body, new KeyboardEvent("keydown", { ...plain, key: "F5" }))).toBe(true);
    expect(stopped(document.body, new KeyboardEvent("keydown", { ...plain, key: "r", ctrlKey: true }))).toBe(true);
    expect(stopped(document.body, new KeyboardEvent("keydown", { ...plain, key: "r" }))).toBe(false);
    const open = window.open.bind(window);
    expect(open("https://example.com/")).toBeNull();
  });
});
