import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { MAX_PIXELS, pixelSize } from "./media";
import { ResultView } from "./ResultView";
import type { Block, Result } from "./types";

beforeAll(() => {
  URL.createObjectURL = vi.fn(() => "blob:test");
  URL.revokeObjectURL = vi.fn();
});

const inline = (text: string) => ({ text, size: text.length, handle: "", masked: 0 });
const block = (part: Partial<Block>): Block => ({
  index: 0, type: "text", text: null, handle: "", mime: "", sniffed: "", uri: "", name: "", title: "", description: "", size: 0, audience: [], raw: "{}", problem: "",
  ...part,
});
const result = (part: Partial<Result>): Result => ({ blocks: [], structured: null, isError: false, notes: [], raw: inline("{}"), schemaErrors: [], error: null, ...part });

function png(width: number, height: number): Uint8Array {
  const bytes = new Uint8Array(33);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}

function show(part: Partial<Result>, bytes: Uint8Array = png(4, 3)) {
  const load = vi.fn(() => Promise.resolve(bytes.slice().buffer));
  const view = render(
    <MantineProvider env="test">
      <ResultView result={result(part)} load={load} />
    </MantineProvider>,
  );
  return { ...view, load };
}

describe("content", () => {
  it("field-61 text is shown as text, with its lines", () => {
    show({ blocks: [block({ text: inline("row 1\nrow 2\n\ttab") })] });
    const lines = [...screen.getByLabelText("Text 1", { selector: "[tabindex]" }).children].map((line) => line.textContent);
    expect(lines).toEqual(["row 1", "row 2", "\ttab"]);
  });

  it("field-59 colour codes are rendered, and both copies are offered", () => {
    const { container } = show({ blocks: [block({ text: inline("\u001b[31mfail\u001b[0m \u001b[1mbold\u001b[22m") })] });
    expect(container.querySelector('[data-ansi="1"]')?.textContent).toBe("fail");
    expect(screen.getByRole("button", { name: "Copy clean" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Copy with codes" })).toBeTruthy();
    fireEvent.click(screen.getByRole("radio", { name: "Codes" }));
    expect(container.textContent).toMatch(/1b.*\[31mfail/i);
  });

  it("field-44 structured content without content is shown, with the note", () => {
    const { container } = show({ structured: inline('{"ship":"wren"}'), notes: ["It has no content."] });
    expect(container.textContent).toContain("It has no content.");
    expect(screen.getByRole("tree").textContent).toContain("wren");
  });

  it("field-45 an empty result says that it is finished and empty", () => {
    show({});
    expect(screen.getByText("The tool finished and returned nothing.")).toBeTruthy();
  });

  it("field-48 known blocks are shown, unknown ones by type with their JSON folded", () => {
    const { container } = show({
      blocks: [
        block({ text: inline("kept") }),
        block({ index: 1, type: "json", raw: '{"type":"json","json":{"a":1}}' }),
        block({ index: 2, type: "blob", raw: '{"type":"blob","data":"AA=="}' }),
      ],
    });
    expect(container.textContent).toContain("kept");
    expect(screen.getAllByText("Block of unknown type", { exact: false })).toHaveLength(2);
    expect(container.querySelectorAll("details:not([open])")).toHaveLength(2);
  });

  it("field-49 an image is shown from its bytes and named with type and size", async () => {
    const { load } = show({ blocks: [block({ type: "image", handle: "h", mime: "image/png", sniffed: "image/png", size: 2_048, name: "chart" })] });
    const image = await screen.findByRole("img");
    expect(image.getAttribute("src")).toBe("blob:test");
    expect(image.getAttribute("alt")).toBe("Image chart, image/png, 2.0 KiB, 4 × 3");
    expect(load).toHaveBeenCalledWith("h", 0, 2_048);
  });

  it("field-49 what the bytes are counts, not what the server claims", () => {
    show({ blocks: [block({ type: "image", handle: "h", mime: "image/png", sniffed: "text/html", size: 10 })] });
    expect(screen.queryByRole("img")).toBeNull();
    expect(screen.getByText(/not shown here/)).toBeTruthy();
    expect(screen.getByText("the bytes are text/html")).toBeTruthy();
  });

  it("an image of too many pixels, or too large, is not decoded", async () => {
    show({ blocks: [block({ type: "image", handle: "h", sniffed: "image/png", size: 40 })] }, png(100_000, 100_000));
    await waitFor(() => expect(screen.getByText(/too many to decode/)).toBeTruthy());
    cleanup();
    const { load } = show({ blocks: [block({ type: "image", handle: "h", sniffed: "image/png", size: 64 << 20 })] });
    expect(screen.getByText(/too large/)).toBeTruthy();
    expect(load).not.toHaveBeenCalled();
  });

  it.each([
    ["field-53", "A data: prefix stood before the image data; it was taken off."],
    ["field-57", "The data is an address, not an image. It was not fetched: https://img.example.test/p.png"],
  ])("%s a problem of a block is said, and the other blocks stay", (_, problem) => {
    const { container } = show({ blocks: [block({ type: "image", mime: "image/png", problem }), block({ index: 1, text: inline("cap") })] });
    expect(container.textContent).toContain(problem);
    expect(container.textContent).toContain("cap");
    expect(container.querySelector("a, iframe, img")).toBeNull();
  });

  it("a sound has controls", async () => {
    const { container } = show({ blocks: [block({ type: "audio", handle: "h", mime: "audio/wav", sniffed: "audio/wav", size: 100 })] });
    await waitFor(() => expect(container.querySelector("audio[controls]")?.getAttribute("src")).toBe("blob:test"));
  });

  it("RSRC-06 a link to a resource is an address in words, never opened", () => {
    const { container } = show({ blocks: [block({ type: "resource_link", uri: "https://x.example.test/a\u202eb", name: "a", title: "A", description: "d", mime: "text/plain" })] });
    expect(container.querySelector("a")).toBeNull();
    expect(container.textContent).toContain("https://x.example.test/a");
    expect(container.textContent).toMatch(/202e/i);
  });

  it("embedded resources show their text or name their bytes", () => {
    const { container } = show({
      blocks: [
        block({ type: "resource", uri: "demo://readme", mime: "text/markdown", text: inline("# Read me") }),
        block({ index: 1, type: "resource", uri: "demo://pdf", mime: "application/pdf", handle: "h", size: 3_000 }),
      ],
    });
    expect(container.textContent).toContain("# Read me");
    expect(container.textContent).toContain("2.9 KiB of a type that is not shown here");
  });
});

describe("errors", () => {
  it("field-51 the tool's own error text comes first and no schema is held against it", () => {
    const { container } = show({
      isError: true,
      blocks: [block({ text: inline("quota used up") })],
      structured: inline('{"error":"quota"}'),
      schemaErrors: [{ pointer: "/ok", message: "is missing" }],
    });
    expect(screen.getByText("The tool reported an error.")).toBeTruthy();
    expect(container.textContent).toContain("quota used up");
    expect(container.textContent).not.toContain("does not match");
  });

  it("a protocol error is framed as one", () => {
    const { container } = show({ error: { code: -32602, message: "Unknown tool", data: '{"tool":"x"}' } });
    expect(container.textContent).toContain("protocol error: Unknown tool");
    expect(container.textContent).toContain("-32602");
    expect(screen.queryByText(/returned nothing/)).toBeNull();
  });

  it("field-46 a mismatch with the output schema is said beside the value", () => {
    const { container } = show({ structured: inline("{}"), schemaErrors: [{ pointer: "/ok", message: "is missing" }] });
    expect(container.textContent).toContain("/ok: is missing");
  });
});

describe("the raw tab", () => {
  it("field-24 shows the kept bytes exactly, and what was masked", () => {
    const raw = '{"content":[],"structuredContent":{"id":9007199254740993}}';
    show({ raw: { ...inline(raw), masked: 1 } });
    expect(screen.getByText(/Masked in 1 place/)).toBeTruthy();
    fireEvent.click(screen.getByRole("tab", { name: "Raw" }));
    expect(screen.getByLabelText("The result as it was kept", { selector: "[tabindex]" }).textContent).toBe(raw);
  });
});

describe("sizes of pictures", () => {
  it("are read from the headers without decoding", () => {
    expect(pixelSize(png(640, 480))).toEqual({ width: 640, height: 480 });
    expect(pixelSize(new Uint8Array([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0x02, 0x01, 0x03, 0x00]))).toEqual({ width: 258, height: 3 });
    const jpeg = [0xff, 0xd8, 0xff, 0xe0, 0x00, 0x04, 0, 0, 0xff, 0xc0, 0x00, 0x11, 0x08, 0x00, 0x10, 0x00, 0x20];
    expect(pixelSize(new Uint8Array(jpeg))).toEqual({ width: 32, height: 16 });
    const webp = new Uint8Array(30);
    webp.set([0x52, 0x49, 0x46, 0x46, 0, 0, 0, 0, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50, 0x38, 0x58, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 4, 0, 0]);
    expect(pixelSize(webp)).toEqual({ width: 10, height: 5 });
    expect(MAX_PIXELS).toBeGreaterThan(3840 * 2160);
  });

  it("cut or foreign bytes give none and never throw", () => {
    for (let length = 0; length < 33; length++) expect(() => pixelSize(png(1, 1).slice(0, length))).not.toThrow();
    expect(pixelSize(new TextEncoder().encode("<svg/>"))).toBeUndefined();
    expect(pixelSize(new Uint8Array([0xff, 0xd8, 0xff, 0xff, 0xff]))).toBeUndefined();
  });
});
