import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import type { World } from "../../api/fake";
import { at, draft, launch, server, serverDetail } from "../../api/fakeparts";
import type { ServerDraft } from "../../api/types";
import { stage, wideWindow } from "../../test/screen";
import { ServersScreen } from "./ServersScreen";
import { reasonOf, speaks, stateOf } from "./words";

beforeEach(wideWindow);

const press = (name: string | RegExp) => screen.findByRole("button", { name });

function world(): Partial<World> {
  return {
    servers: [
      serverDetail({ server: server(), secrets: [], launch: launch({ kind: "builtin" }) }),
      serverDetail({ instructions: "Call list before read.", server: server({ id: "files", name: "Files", kind: "stdio", era: "legacy", version: "2025-11-25", fallbacks: ["server/discover was refused"] }) }),
      serverDetail({
        server: server({ id: "mail", name: "Mail", kind: "http", state: "attention", code: "consent", needsConsent: true, reason: "You have not agreed yet" }),
        launch: launch({ kind: "http", url: "https://mcp.example/mcp", headers: [{ name: "Authorization", value: "Bearer «secret:TOKEN»" }], consented: false, changed: ["address"], warnings: ["It is not encrypted."] }),
      }),
    ],
    logs: new Map([["files", [{ n: 1, time: at(0), source: "stderr", level: "", text: "hello\u001b[31m red" }]]]),
  };
}

describe("words of a server", () => {
  it("tell state, protocol and reason", () => {
    expect(stateOf(server({ state: "stopped", enabled: false })).word).toBe("Switched off");
    expect(stateOf(server({ state: "attention", needsConsent: true })).word).toBe("Needs consent");
    expect(speaks(server({ era: "legacy", version: "2025-11-25" }))).toBe("older protocol, 2025-11-25");
    expect(reasonOf(server({ reason: "`npx` was not found", hint: "Set the full path." }))).toBe("`npx` was not found. Set the full path.");
  });
});

describe("the list", () => {
  it("says state, protocol and tools of each, and moves with the arrow keys", async () => {
    const { user } = stage(ServersScreen, "servers", world());
    const rows = within(await screen.findByRole("list", { name: "Servers" })).getAllByRole("button");
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringContaining("Demo serverRunningmodern protocol, 2026-07-28 · 12 tools"),
      expect.stringContaining("FilesRunningolder protocol, 2025-11-25"),
      expect.stringContaining("MailNeeds consent"),
    ]);
    rows[0]?.focus();
    await user.keyboard("{ArrowDown}{Enter}");
    expect(await screen.findByText("Call list before read.")).toBeVisible();
  });

  it("offers to add the first one", async () => {
    const { user } = stage(ServersScreen, "servers");
    await user.click(await press("Add the first"));
    expect(await screen.findByRole("heading", { name: "New server" })).toBeVisible();
  });

  it("says what failed and tries again", async () => {
    const { fake, user } = stage(ServersScreen, "servers", { ...world(), failing: new Map([["servers.list", "The file is locked."]]) });
    expect(await screen.findByText(/The file is locked/)).toBeVisible();
    fake.world.failing.clear();
    await user.click(await press("Try again"));
    expect((await screen.findAllByText("Demo server"))[0]).toBeVisible();
  });

  it("says that it is being read", async () => {
    stage(ServersScreen, "servers", { silent: new Set(["servers.list"]) });
    expect(await screen.findByRole("status", { name: "Reading the servers" })).toBeVisible();
  });
});

describe("a server", () => {
  it("that is built in can be stopped and started, and nothing else", async () => {
    const { user, did } = stage(ServersScreen, "servers", world());
    await user.click(await press("Stop"));
    expect(did("servers.stop")).toEqual([["demo"]]);
    await user.click(await press("Start"));
    expect(did("servers.start")).toEqual([["demo"]]);
    expect(screen.queryByRole("button", { name: "Edit" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Remove" })).toBeNull();
  });

  it("shows all of its launch before it is agreed to, and starts only by agreeing", async () => {
    const { user, did } = stage(ServersScreen, "servers", world(), "mail");
    for (const text of ["https://mcp.example/mcp", "It is not encrypted.", "Changed since you agreed last: address."]) expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByText(/Bearer «secret:TOKEN»/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Start" })).toBeNull();
    await user.click(await press("Review and agree…"));
    expect(did("servers.consent")).toEqual([["mail"]]);
    expect(await press("Stop")).toBeVisible();
  });

  it("says so when the consent was not given", async () => {
    const { fake, user } = stage(ServersScreen, "servers", world(), "mail");
    fake.servers.consent = () => Promise.resolve(false);
    await user.click(await press("Review and agree…"));
    expect(await screen.findByText(/it was not started/)).toBeVisible();
  });

  it("cannot be agreed to while it could not be started", async () => {
    const broken = serverDetail({ server: server({ id: "b", kind: "stdio", state: "attention" }), launch: launch({ consented: false, error: "`npx` was not found." }) });
    stage(ServersScreen, "servers", { servers: [broken] }, "b");
    expect(await press("Review and agree…")).toBeDisabled();
    expect(screen.getByText("`npx` was not found.")).toBeVisible();
  });

  it("follows its log", async () => {
    const { fake } = stage(ServersScreen, "servers", world(), "files");
    const log = await screen.findByRole("log");
    expect(log).toHaveTextContent(/stderr hello red/);
    fake.world.logs.get("files")?.push({ n: 2, time: at(1), source: "stderr", level: "", text: "second line" });
    act(() => fake.tell("log", "files"));
    expect(await within(log).findByText("second line")).toBeVisible();
  });

  it("is removed at once, and brought back by the undo", async () => {
    const { user, did, went } = stage(ServersScreen, "servers", world(), "files");
    await user.click(await press("Remove"));
    expect(did("servers.remove")).toEqual([["files"]]);
    await user.click(await press("Undo"));
    expect(did("servers.undoRemove")).toEqual([["files"]]);
    await waitFor(() => expect(went.at(-1)).toBe("servers files"));
  });

  it("gets a new value for a secret, which is deleted only after a second word", async () => {
    const { user, did } = stage(ServersScreen, "servers", world(), "files");
    await user.click(await press("Set the value of API_KEY"));
    await user.type(await screen.findByLabelText("New value of API_KEY"), "s3cret-value");
    await user.click(await press("Store it"));
    expect(did("servers.setSecret")).toEqual([["files", "API_KEY", "s3cret-value"]]);
    await user.click(await press("Delete API_KEY"));
    expect(did("servers.deleteSecret")).toEqual([]);
    await user.click(await press("Delete API_KEY for good"));
    expect(did("servers.deleteSecret")).toEqual([["files", "API_KEY"]]);
  });
});

describe("the form", () => {
  it("makes a server with words and variables of its own, and stores secrets only after it was saved", async () => {
    const { user, did, fake } = stage(ServersScreen, "servers", world());
    await user.click(await press("Add server"));
    await user.type(await screen.findByLabelText(/^Name/), "Notes");
    await user.type(screen.getByLabelText(/^Command/), "npx");
    await user.click(await press("Add an argument"));
    await user.type(screen.getByLabelText("Argument 1"), "two words");
    await user.click(await press("Add a variable"));
    await user.type(screen.getByLabelText("Name of variable 1"), "API_KEY");
    await user.click(await press("Use a secret in the value of variable 1"));
    await user.type(await screen.findByLabelText("Value"), "s3cret-value");
    await user.click(await press("Use it"));
    expect(screen.getByLabelText("Value of variable 1")).toHaveValue("${secret:API_KEY}");
    expect(did("servers.setSecret")).toEqual([]);
    await user.click(await press("Save"));
    const [saved] = (did("servers.save")[0] ?? []) as [ServerDraft];
    expect(saved).toMatchObject({ id: "", name: "Notes", kind: "stdio", command: "npx", args: ["two words"], env: [{ name: "API_KEY", value: "${secret:API_KEY}" }] });
    await waitFor(() => expect(did("servers.setSecret")).toEqual([["s4", "API_KEY", "s3cret-value"]]));
    expect(await press("Review and agree…")).toBeVisible();
    // Whatever was typed here must not reach the disk but by way of the settings and the keyring.
    expect(JSON.stringify(fake.world.ui)).not.toContain("s3cret-value");
  });

  it("shows faults at their fields, and saves nothing while there is one", async () => {
    const problems = [{ field: "command", message: "Name a program.", warning: false }, { field: "args.0", message: "A secret here can be seen by others.", warning: true }];
    const { user, fake } = stage(ServersScreen, "servers", { ...world(), problems }, "new");
    await user.click(await press("Save"));
    expect(await screen.findByText("Name a program.")).toBeVisible();
    expect(screen.getByLabelText(/^Command/)).toBeInvalid();
    expect(screen.getByText("A secret here can be seen by others.")).toBeVisible();
    expect(fake.world.servers).toHaveLength(3);
    await user.click(await press("Discard"));
  });

  it("edits what is there, over HTTP too", async () => {
    const mail = serverDetail({ server: server({ id: "mail", name: "Mail", kind: "http" }), draft: draft({ id: "mail", name: "Mail", kind: "http", url: "https://a.example", headers: [] }) });
    const { user, did } = stage(ServersScreen, "servers", { servers: [mail] }, "mail");
    await user.click(await press("Edit"));
    const url = await screen.findByLabelText(/^Address/);
    await user.clear(url);
    await user.type(url, "https://b.example");
    await user.click(await press("Add a header"));
    await user.type(screen.getByLabelText("Name of header 1"), "X-Team");
    await user.click(await press("Save"));
    expect(did("servers.save")[0]?.[0]).toMatchObject({ id: "mail", url: "https://b.example", headers: [{ name: "X-Team", value: "" }] });
  });

  it("keeps what was typed when the person looks elsewhere", async () => {
    const { user } = stage(ServersScreen, "servers", world(), "new");
    await user.type(await screen.findByLabelText(/^Name/), "Half");
    await user.click(within(screen.getByRole("list", { name: "Servers" })).getAllByRole("button")[0] ?? document.body);
    await user.click(await press("Add server"));
    expect(await screen.findByLabelText(/^Name/)).toHaveValue("Half");
    await user.click(await press("Discard"));
  });
});
