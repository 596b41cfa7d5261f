import { MantineProvider } from "@mantine/core";
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import type { Backend } from "../../api/backend";
import type { Change, FieldError, ProposeRequest, ProposeResult, ToolDetail, ToolGroup } from "../../api/types";
import { initials } from "../../components/tool";
import { detail, groups, server, tool } from "../../dev/toolsamples";
import { BackendProvider } from "../../state/backend";
import { ToastProvider } from "../../state/toasts";
import { Kept, KeptProvider } from "../../state/persisted";
import { listRows, toolKey } from "./rows";
import { ToolsScreen } from "./ToolsScreen";
import { difference } from "./useHeld";
import { freshnessWords } from "./when";

const NOW = new Date("2026-03-03T12:00:00Z");

describe("the lines of the list", () => {
  it("field-32 tools of one name on two servers are two tools", () => {
    const two: ToolGroup[] = ["a", "b"].map((id) => ({
      server: server({ id, name: id }), freshness: "live", received: "", warnings: [], problems: [], tools: [tool({ serverId: id, name: "query" })],
    }));
    const keys = listRows(two, "query").flatMap((row) => (row.kind === "tool" ? [row.key] : []));
    expect(new Set(keys).size).toBe(2);
    expect(toolKey("a", "b\u0000c")).not.toBe(toolKey("a\u0000b", "c"));
  });

  it("finds all words in any order, in titles, names, descriptions and server names", () => {
    const found = (search: string) => listRows(groups(3), search).flatMap((row) => (row.kind === "tool" ? [row.tool.name] : []));
    expect(found("chart image")).toEqual(["chart_image"]);
    expect(found("number files")).toEqual(["tool_0", "tool_1", "tool_2"]);
    expect(found("nothing like it")).toEqual([]);
    expect(found("")).toHaveLength(8);
  });

  it("field-38 field-12 warnings, unreadable items and reasons are lines of their own", () => {
    const notes = listRows(groups(1), "").flatMap((row) => (row.kind === "note" ? [row.text] : []));
    expect(notes).toEqual([
      "The second page repeated its cursor, so listing stopped there.",
      "Not readable: item 3 has no name.",
      "`npx` was not found. Searched 9 folders.",
      "It has not been allowed to start yet. Review its launch under Servers.",
      "Starting; its tools appear here.",
    ]);
  });

  it("counts what came and went", () => {
    expect(difference(groups(3), groups(5))).toBe(2);
    expect(difference(groups(3), groups(3))).toBe(0);
  });
});

describe("words", () => {
  it("tell ages and freshness", () => {
    expect(freshnessWords("stale", "2026-03-03T11:00:00Z", NOW)).toBe("out of date, from 1 hour ago");
    expect(freshnessWords("none", "", NOW)).toBe("");
  });

  it("initials come from words, camels and any script", () => {
    expect(["weather", "get_forecast", "readFile", "\u202e", "日本 語", ""].map(initials)).toEqual(["W", "GF", "RF", "?", "日語", "?"]);
  });
});

interface Bench {
  backend: { validate: ReturnType<typeof vi.fn>; propose: ReturnType<typeof vi.fn>; refresh: ReturnType<typeof vi.fn> };
  went: string[];
  change: (next: ToolGroup[]) => Promise<void>;
  user: ReturnType<typeof userEvent.setup>;
  saved: Map<string, string>;
}

function show(list: ToolGroup[], page: Partial<ToolDetail> = {}, errors: FieldError[] = [], kept: Record<string, string> = {}): Bench {
  let tell: (change: Change) => void = () => undefined;
  let current = list;
  const saved = new Map<string, string>();
  const validate = vi.fn(() => Promise.resolve(errors));
  const propose = vi.fn<(request: ProposeRequest) => Promise<ProposeResult>>(() => Promise.resolve({ call: { id: "c1", state: "awaiting_approval" }, errors: [] } as unknown as ProposeResult));
  const refresh = vi.fn(() => Promise.resolve());
  const backend = {
    tools: { list: () => Promise.resolve(current), get: () => Promise.resolve(detail(page)), validate, refresh },
    calls: { propose },
    settings: { saveUI: (key: string, value: string) => Promise.resolve(void saved.set(key, value)) },
    subscribe: (fn: (change: Change) => void) => {
      const before = tell;
      tell = (change) => {
        before(change);
        fn(change);
      };
      return () => undefined;
    },
  } as unknown as Backend;
  const went: string[] = [];
  const store = new Kept(backend, kept);
  function Owner() {
    const [item, setItem] = useState("");
    return (
      <ToolsScreen
        item={item}
        onNavigate={(to, next) => {
          went.push(`${to} ${next ?? "-"}`);
          if (to === "tools") setItem(next ?? "");
        }}
      />
    );
  }
  render(
    <MantineProvider env="test">
      <BackendProvider backend={backend}>
        <ToastProvider>
          <KeptProvider kept={store}>
            <Owner />
          </KeptProvider>
        </ToastProvider>
      </BackendProvider>
    </MantineProvider>,
  );
  const change = async (next: ToolGroup[]) => {
    current = next;
    await act(async () => {
      tell({ seq: 1, topic: "tools", id: "" });
      await Promise.resolve();
    });
  };
  return { backend: { validate, propose, refresh }, went, change, user: userEvent.setup(), saved };
}

const SIMPLE = '{"type":"object","properties":{"city":{"type":"string"},"n":{"type":"integer"}},"required":["city"]}';

describe("the screen", () => {
  it("without servers says what belongs here and where to go", async () => {
    const bench = show([]);
    await bench.user.click(await screen.findByRole("button", { name: "Go to servers" }));
    expect(bench.went).toEqual(["servers -"]);
  });

  it("field-160 shows names and titles with hidden characters as marks", async () => {
    show(groups(1));
    const row = await screen.findByRole("button", { name: /Safe\[U\+200B\]/ });
    expect(row.textContent).toContain("read[U+202E]daer");
    expect(row.textContent).not.toContain("\u202e");
  });

  it("field-34 long names are whole on hover and in the row", async () => {
    show(groups(1));
    const long = "synchronise_every_customer_record_between_all_regions_and_the_archive_copy_v2";
    expect((await screen.findByRole("button", { name: new RegExp(long) })).textContent).toContain(long);
  });

  it("moves by arrow keys from the search through the list and opens by Enter", async () => {
    const bench = show(groups(1));
    await bench.user.click(await screen.findByRole("searchbox", { name: "Search tools" }));
    await bench.user.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}{Enter}");
    expect(bench.went).toEqual([`tools ${toolKey("s1", "chart_image")}`]);
    await bench.user.keyboard("{Home}{ArrowUp}");
    expect(document.activeElement).toBe(screen.getByRole("searchbox", { name: "Search tools" }));
  });

  it("keeps the search between runs", async () => {
    const bench = show(groups(1), {}, [], { "tools:search": '"chart"' });
    expect(await screen.findByText("1 tool")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Weather/ })).toBeNull();
    await bench.user.clear(screen.getByRole("searchbox", { name: "Search tools" }));
    await waitFor(() => expect(bench.saved.get("tools:search")).toBe('""'));
  });

  it("10,000 tools are laid out as a window", async () => {
    vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600);
    vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(32);
    vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(360);
    show(groups(10_000));
    await screen.findByRole("button", { name: /^Weather/ });
    expect(screen.getAllByRole("button").length).toBeLessThan(200);
    vi.restoreAllMocks();
  });

  it("field-40 new tools appear, but not under the pointer", async () => {
    const bench = show(groups(1));
    const row = await screen.findByRole("button", { name: /^Weather/ });
    const list = row.parentElement ?? document.body;
    fireEvent.pointerEnter(list);
    await bench.change(groups(3));
    expect(screen.queryByRole("button", { name: /tool_2/ })).toBeNull();
    await bench.user.click(screen.getByRole("button", { name: "2 changed" }));
    expect(screen.getByRole("button", { name: /tool_2/ })).toBeTruthy();
    fireEvent.pointerLeave(list);
    await bench.change(groups(4));
    expect(screen.getByRole("button", { name: /tool_3/ })).toBeTruthy();
  });
});

describe("the tool page", () => {
  async function openWeather(bench: Bench) {
    await bench.user.click(await screen.findByRole("button", { name: /^Weather/ }));
    return screen.findByRole("button", { name: "Propose call" });
  }

  it("quotes the server, tells the age of the definition, and shows the definition on demand", async () => {
    const bench = show(groups(1), { inputSchema: SIMPLE });
    await openWeather(bench);
    expect(screen.getByText("Server says:", { exact: false }).textContent).toBe("Server says: read-only, reaches beyond this machine");
    expect(screen.getByText(/kept from 2 hours ago/)).toBeTruthy();
    expect(screen.queryByRole("tree")).toBeNull();
    fireEvent.click(screen.getByText("Definition as the server listed it"));
    expect(await screen.findByRole("tree")).toBeTruthy();
  });

  it("validates, proposes exactly the text, and goes to the card", async () => {
    const bench = show(groups(1), { inputSchema: SIMPLE });
    const button = await openWeather(bench);
    await bench.user.type(screen.getByLabelText(/city/), "Kiel");
    await bench.user.type(screen.getByLabelText("n"), "9007199254740993");
    await bench.user.click(button);
    await waitFor(() => expect(bench.went.at(-1)).toBe("approvals c1"));
    const argsText = '{\n  "city": "Kiel",\n  "n": 9007199254740993\n}';
    expect(bench.backend.validate).toHaveBeenCalledWith("s1", "weather", argsText);
    expect(bench.backend.propose).toHaveBeenCalledWith({ serverId: "s1", tool: "weather", argsText, parentId: "", limitSeconds: 0 });
    await waitFor(() => expect(bench.saved.get(`draft:${toolKey("s1", "weather")}`)).toBe(JSON.stringify(argsText)));
  });

  it("shows the validator's errors at their fields and proposes nothing", async () => {
    const bench = show(groups(1), { inputSchema: SIMPLE }, [{ pointer: "/n", message: "is needed by the place" }]);
    await bench.user.click(await openWeather(bench));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("n")));
    expect(screen.getByLabelText("n")).toHaveAccessibleDescription("is needed by the place");
    expect(bench.backend.propose).not.toHaveBeenCalled();
  });

  it("an unfinished value is not even sent to the validator", async () => {
    const bench = show(groups(1), { inputSchema: SIMPLE });
    const button = await openWeather(bench);
    await bench.user.type(screen.getByLabelText("n"), "12a");
    await bench.user.click(button);
    expect(screen.getByText(/Something is unfinished/)).toBeTruthy();
    expect(bench.backend.validate).not.toHaveBeenCalled();
  });

  it("a refusal is told in words", async () => {
    const bench = show(groups(1), { inputSchema: SIMPLE });
    const button = await openWeather(bench);
    bench.backend.propose.mockRejectedValueOnce(new Error('{"code":"unavailable","message":"The server stopped.","hint":"Start it under Servers.","id":""}'));
    await bench.user.click(button);
    expect(await screen.findByText("The server stopped. Start it under Servers.")).toBeTruthy();
  });

  it("a draft of the last run is there again", async () => {
    const bench = show(groups(1), { inputSchema: SIMPLE }, [], { [`draft:${toolKey("s1", "weather")}`]: JSON.stringify('{"city": "Bern"}') });
    await openWeather(bench);
    expect(screen.getByLabelText(/city/)).toHaveValue("Bern");
  });

  it("field-19 field-29 a tool without parameters is proposed with {}", async () => {
    const bench = show(groups(1), { inputSchema: '{"type":"object","properties":{}}' });
    await bench.user.click(await openWeather(bench));
    await waitFor(() => expect(bench.backend.propose).toHaveBeenCalledWith({ serverId: "s1", tool: "weather", argsText: "{}", parentId: "", limitSeconds: 0 }));
  });

  it("a hidden tool tells its reason and cannot be proposed", async () => {
    const bench = show(groups(1), { summary: tool({ name: "weather", hidden: "its header annotation stands below items" }) });
    expect(await openWeather(bench)).toBeDisabled();
    expect(screen.getByText(/It cannot be called: its header annotation/)).toBeTruthy();
    expect(within(screen.getByRole("article")).getByRole("heading", { level: 1 }).textContent).toBe("weather");
  });
});
