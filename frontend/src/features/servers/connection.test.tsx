import { screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { draft, launch, server, serverDetail } from "../../api/fakeparts";
import { stage, wideWindow } from "../../test/screen";
import { ServersScreen } from "./ServersScreen";

beforeEach(wideWindow);

const press = (name: string | RegExp) => screen.findByRole("button", { name });

const mail = () => serverDetail({ server: server({ id: "mail", name: "Mail", kind: "http" }), draft: draft({ id: "mail", name: "Mail", kind: "http", url: "https://a.example" }), launch: launch({ kind: "http", url: "https://a.example" }) });

describe("the connection of an address", () => {
  it("takes a certificate file from the dialog only, a proxy, plain http and limits", async () => {
    const { user, did } = stage(ServersScreen, "servers", { servers: [mail()], choice: "/etc/own-ca.pem" }, "mail");
    await user.click(await press("Edit"));
    const file = within(await screen.findByRole("group", { name: "Certificate file" }));
    expect(file.queryByRole("textbox")).toBeNull();
    await user.click(file.getByRole("button", { name: "Choose…" }));
    expect(await file.findByText("/etc/own-ca.pem")).toBeVisible();
    await user.click(screen.getByRole("radio", { name: "Another" }));
    await user.type(screen.getByLabelText("Proxy's address"), "proxy.example:3128");
    await user.click(screen.getByRole("switch", { name: /plain http/ }));
    expect(screen.getByText(/can read and change what you send/)).toBeVisible();
    await user.type(screen.getByLabelText("Longest time of a call"), "90", { initialSelectionStart: 0, initialSelectionEnd: 1 });
    await user.click(await press("Save"));
    expect(did("servers.save")[0]?.[0]).toMatchObject({ caFile: "/etc/own-ca.pem", proxy: "http://proxy.example:3128", plainHttp: true, maxSeconds: 90 });
  });

  it("says why a file cannot be used", async () => {
    const { user } = stage(ServersScreen, "servers", { servers: [mail()], failing: new Map([["servers.chooseCA", "It holds no certificate."]]) }, "mail");
    await user.click(await press("Edit"));
    await user.click(await press("Choose…"));
    expect(await screen.findByText(/It holds no certificate/)).toBeVisible();
    await user.click(await press("Discard"));
  });

  it("SEC-02 stands in what is agreed to", async () => {
    const asked = { ...mail(), launch: launch({ kind: "http", url: "http://a.example", consented: false, caFile: "/etc/own-ca.pem", proxy: "none", plainHttp: true }) };
    stage(ServersScreen, "servers", { servers: [asked] }, "mail");
    expect(await screen.findByText("/etc/own-ca.pem")).toBeVisible();
    expect(screen.getByText("allowed beyond this computer")).toBeVisible();
  });

  it("SEC-02 shows a command with each of its arguments whole, however long", async () => {
    const args = ["--flag", `${"long ".repeat(2_000)}end`, "rm -rf /"];
    const asked = serverDetail({ server: server({ id: "x", kind: "stdio", state: "attention" }), launch: launch({ consented: false, command: "sh", args }) });
    stage(ServersScreen, "servers", { servers: [asked] }, "x");
    expect(await screen.findByText(/runs a program on your computer with your rights/)).toBeVisible();
    const shown = screen.getAllByRole("listitem").map((item) => item.textContent);
    for (const arg of args) expect(shown).toContain(arg);
  });
});

describe("folders", () => {
  it("ROOTS-05 ROOTS-06 are opened by the dialog, told to be a hint, and removed", async () => {
    const files = serverDetail({ roots: [{ path: "/home/ada/gone", fault: "is not there" }] });
    const { user, did } = stage(ServersScreen, "servers", { servers: [files], choice: "/home/ada/notes" }, "files");
    expect(await screen.findByText(/a hint and no fence/)).toBeVisible();
    expect(screen.getByText("is not there; left out")).toBeVisible();
    await user.click(await press("Open a folder…"));
    const list = within(screen.getByRole("list", { name: "Folders" }));
    expect(await list.findByText("/home/ada/notes")).toBeVisible();
    await user.click(await press("Remove /home/ada/gone"));
    expect(did("servers.removeRoot")).toEqual([["files", "/home/ada/gone"]]);
  });
});
