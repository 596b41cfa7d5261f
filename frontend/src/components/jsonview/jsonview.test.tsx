import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { describe, expect, it, vi } from "vitest";
import { parseJson } from "../../utils/jsonparse";
import { hasAnsi, piecesOf, readAnsi, stripAnsi } from "./ansi";
import { type Bytes, sizeWords } from "./bytes";
import { BytesBox } from "./BytesBox";
import { JsonView } from "./JsonView";
import { Rows, ROW_LENGTH } from "./lines";
import { tableOf } from "./table";
import { TextView } from "./TextView";
import { MAX_ROWS, type Openness, treeRows } from "./tree";


function show(node: ReactNode) {
  return render(<MantineProvider env="test">{node}</MantineProvider>);
}

describe("rows of a text", () => {
  it("are its lines, long ones in pieces that join up again", () => {
    const text = `a\n\n${"x".repeat(2_500)}\nlast`;
    const rows = new Rows(text);
    const parts = Array.from({ length: rows.count }, (_, at) => text.slice(...rows.span(at)));
    expect(parts.map((part) => part.length)).toEqual([1, 0, ROW_LENGTH, ROW_LENGTH, 500, 4]);
    expect(parts.join("")).toBe(text.replaceAll("\n", ""));
  });

  it("keep pairs of surrogates together", () => {
    const text = "😀".repeat(1_001);
    const rows = new Rows(`x${text}`);
    for (let at = 0; at < rows.count; at++) {
      const part = `x${text}`.slice(...rows.span(at));
      expect(part.isWellFormed()).toBe(true);
    }
  });

  it("field-62 200,000 lines and a line of 3 MB are laid out as a window only", () => {
    const text = `${"long ".repeat(600_000)}\n${Array.from({ length: 200_000 }, (_, i) => `line ${i}`).join("\n")}`;
    vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(440);
    vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(18);
    vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(600);
    const { container } = show(<TextView text={text} label="big" />);
    vi.restoreAllMocks();
    expect(new Rows(text).count).toBe(203_000);
    expect(container.querySelectorAll("[data-index]").length).toBeGreaterThan(0);
    expect(container.querySelectorAll("[data-index]").length).toBeLessThan(200);
    expect(container.textContent?.length).toBeLessThan(200_000);
  });
});

describe("terminal codes", () => {
  const text = "\u001b[31mfail\u001b[0m \u001b[1mbold\u001b[22m";

  it("field-59 become looks; the clean text has none of them", () => {
    expect(hasAnsi(text)).toBe(true);
    expect(stripAnsi(text)).toBe("fail bold");
    const ansi = readAnsi(text);
    expect(piecesOf(ansi, 0, ansi.text.length).map((piece) => [piece.text, piece.look.color, piece.look.bold])).toEqual([
      ["fail", 1, false],
      [" ", -1, false],
      ["bold", -1, true],
    ]);
    expect(piecesOf(ansi, 2, 4)).toMatchObject([{ text: "il", look: { color: 1 } }]);
  });

  it("field-59 never hide text: no background, no concealment, no cursor moves", () => {
    const ansi = readAnsi("\u001b[8mhidden\u001b[28m\u001b[40;30mblack\u001b[2J\u001b]0;title\u0007\u001b[38;5;16mcube\u001b[38;2;250;10;10mred\u001b[mend");
    expect(ansi.text).toBe("hiddenblackcuberedend");
    const looks = piecesOf(ansi, 0, ansi.text.length).map((piece) => [piece.text, piece.look.color]);
    expect(looks).toEqual([["hidden", -1], ["black", 0], ["cube", 0], ["red", 1], ["end", -1]]);
  });

  it("a lone escape is shown, not taken for a code", () => {
    expect(hasAnsi("a\u001b")).toBe(false);
    show(<TextView text={"a\u001b"} label="t" />);
    expect(screen.getByLabelText("t").textContent).toMatch(/1b/i);
  });
});

describe("trees", () => {
  const openness: Openness = { all: true, chosen: new Map() };
  const read = (text: string) => {
    const result = parseJson(text, { keepDuplicates: true });
    if (!result.ok) throw new Error(result.problem.message);
    return result.value;
  };

  it("list values in order, repeated keys too, with their pointers", () => {
    const rows = treeRows(read('{"b":1,"a/b":[null,{"c":2}],"b":3}'), openness);
    expect(rows.map((row) => row.pointer)).toEqual(["", "/b", "/a~1b", "/a~1b/0", "/a~1b/1", "/a~1b/1/c", "/b"]);
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
  });

  it("stay bounded however large or deep the value is", () => {
    expect(treeRows(Array.from({ length: 600_000 }, () => null), openness)).toHaveLength(MAX_ROWS);
    expect(treeRows(read("[".repeat(2_000) + "]".repeat(2_000)), openness)).toHaveLength(2_000);
  });

  it("field-24 show numbers as they came, in each way of showing", () => {
    const text = '{"id":9007199254740993,"n":[604512398877665431],"w":2.50}';
    const { container } = show(<JsonView text={text} label="value" />);
    expect(container.textContent).toContain("9007199254740993");
    expect(container.textContent).toContain("604512398877665431");
    fireEvent.click(screen.getByRole("radio", { name: "Exact" }));
    expect(screen.getByRole("group", { name: "value" }).textContent).toBe(text);
    fireEvent.click(screen.getByRole("radio", { name: "Lines" }));
    expect(screen.getByRole("group", { name: "value" }).textContent).toContain('"w": 2.50');
  });

  it("field-158 count long runs of blanks and show the end of what is cut", () => {
    const { container } = show(<JsonView text={JSON.stringify({ path: `${" ".repeat(300)}../../.ssh/config`, body: `${"x".repeat(9_000)}END` })} label="value" />);
    expect(container.textContent).toContain("300 blanks");
    expect(container.textContent).toContain("../../.ssh/config");
    expect(container.textContent).toContain("END");
    for (const mode of ["Lines", "Exact"]) {
      fireEvent.click(screen.getByRole("radio", { name: mode }));
      expect(screen.getByRole("group", { name: "value" }).textContent).toContain('"300 blanks../../.ssh/config"');
    }
  });

  it("indentation is not counted as hidden", () => {
    show(<JsonView text='[[[[[[["deep"]]]]]]]' label="value" start="lines" />);
    expect(screen.getByRole("group", { name: "value" }).textContent).not.toContain("blanks");
  });

  it("open, fold and move by keyboard", () => {
    show(<JsonView text='{"a":{"b":1},"c":2}' label="value" />);
    const tree = screen.getByRole("tree");
    const items = () => screen.getAllByRole("treeitem").map((item) => item.textContent);
    expect(items()).toHaveLength(4);
    fireEvent.keyDown(tree, { key: "ArrowDown" });
    fireEvent.keyDown(tree, { key: "ArrowLeft" });
    expect(items()).toHaveLength(3);
    fireEvent.keyDown(tree, { key: "ArrowRight" });
    fireEvent.keyDown(tree, { key: "End" });
    expect(screen.getAllByRole("treeitem").at(-1)?.getAttribute("aria-selected")).toBe("true");
    fireEvent.keyDown(tree, { key: "ArrowLeft" });
    expect(screen.getAllByRole("treeitem")[0]?.getAttribute("aria-selected")).toBe("true");
  });

  it("what is not JSON is shown as text, with the reason", () => {
    show(<JsonView text="not json" label="value" />);
    expect(screen.getByText(/it is not JSON/)).toBeTruthy();
    expect(screen.getByRole("group", { name: "value" }).textContent).toBe("not json");
  });

  it("field-160 hidden characters in keys and values are shown", () => {
    const { container } = show(<JsonView text={'{"read\\u202edaer":"a\\u200bb"}'} label="value" />);
    expect(container.textContent).toMatch(/202e/i);
    expect(container.textContent).toMatch(/200b/i);
    expect(container.textContent).not.toContain("\u202e");
  });
});

describe("tables", () => {
  const read = (text: string) => {
    const result = parseJson(text);
    if (!result.ok) throw new Error(result.problem.message);
    return result.value;
  };

  it("are found in a list of objects, or the only list of an object", () => {
    expect(tableOf(read('[{"a":1},{"b":2,"a":3}]'))?.columns).toEqual(["a", "b"]);
    expect(tableOf(read('{"count":2,"rows":[{"a":1}],"none":[]}'))?.name).toBe("rows");
    for (const text of ['[1,2]', "[]", "{}", '[{"a":1},2]', '[{"a":1},{}]', '{"x":[{"a":1}],"y":[{"b":1}]}', '"text"']) expect(tableOf(read(text))).toBeUndefined();
  });

  it("field-24 show numbers as they came and only the rows on screen", () => {
    vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(440);
    const rows = Array.from({ length: 100_000 }, (_, i) => `{"id":${9007199254740993n + BigInt(i)},"w":2.50,"s":"a\\u202eb"}`);
    const { container } = show(<JsonView text={`[${rows.join(",")}]`} label="value" />);
    vi.restoreAllMocks();
    expect(screen.getByText("100,000 rows")).toBeTruthy();
    expect(container.textContent).toContain("9007199254740993");
    expect(container.textContent).toContain("2.50");
    expect(container.textContent).toContain("U+202E");
    expect(container.querySelectorAll("tbody tr").length).toBeLessThan(100);
  });
});

describe("bytes by handle", () => {
  const text = `{"a":"${"é".repeat(1_500_000)}"}`;
  const whole = new TextEncoder().encode(text);
  const bytes: Bytes = { text: text.slice(0, 2_000), size: whole.length, handle: "h", masked: 2 };
  const asked: number[] = [];
  const load = (_: string, offset: number, length: number) => {
    asked.push(offset);
    return Promise.resolve(whole.slice(offset, offset + length).buffer);
  };

  it("come part by part, characters across parts stay whole, and the tree follows at the end", async () => {
    show(<BytesBox bytes={bytes} load={load} label="raw" start="tree" />);
    expect(screen.getByText(/masked in 2 places/)).toBeTruthy();
    expect(asked).toEqual([]);
    expect(screen.queryByRole("tree")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Load all" }));
    await waitFor(() => expect(screen.getByRole("tree")).toBeTruthy());
    expect(asked).toEqual([0, 1 << 20, 2 << 20]);
    expect(document.body.textContent).not.toContain("\ufffd");
  });

  it("a failed part says so and leaves what is there", async () => {
    show(<BytesBox bytes={bytes} load={() => Promise.reject(new Error("gone"))} label="raw" />);
    fireEvent.click(screen.getByRole("button", { name: "Load more" }));
    await waitFor(() => expect(screen.getByText(/could not be loaded: gone/)).toBeTruthy());
    expect(screen.getByRole("group", { name: "raw" }).textContent).toContain("éé");
  });

  it("other bytes replace those shown, of equal size too", () => {
    const box = (text: string) => (
      <MantineProvider env="test">
        <BytesBox bytes={{ text, size: 7, handle: "", masked: 0 }} load={load} label="args" />
      </MantineProvider>
    );
    const { rerender } = render(box('{"a":1}'));
    rerender(box('{"a":2}'));
    expect(screen.getByRole("group", { name: "args" }).textContent).toBe('{"a":2}');
  });

  it("sizes are said in binary steps", () => {
    expect([0, 1, 1023, 1024, 20_000, 5 << 20, 3e9].map(sizeWords)).toEqual(["0 bytes", "1 byte", "1023 bytes", "1.0 KiB", "20 KiB", "5.0 MiB", "2.8 GiB"]);
  });
});
