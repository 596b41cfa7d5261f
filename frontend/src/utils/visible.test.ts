import { describe, expect, it } from "vitest";
import { hasHidden, pieces, visibleText } from "./visible";

describe("visible", () => {
  it.each([
    ["160 direction override", "read\u202edaer", "read[U+202E]daer"],
    ["160 zero width and escape", "Safe\u200b\u001b[8m", "Safe[U+200B][U+001B][8m"],
    ["160 isolates and tags", "ok\u2066hidden\u2069\udb40\udc41", "ok[U+2066]hidden[U+2069][U+E0041]"],
    ["a lone surrogate", "a\ud83db", "a[U+D83D]b"],
    ["line feed and tab stay", "a\n\tb", "a\n\tb"],
    ["carriage return shows", "a\rb", "a[U+000D]b"],
    ["no-break space shows", "a\u00a0b", "a[U+00A0]b"],
    ["plain text of all scripts stays", "河 – 🚲 é Ж ع", "河 – 🚲 é Ж ع"],
    ["an emoji family stays whole", "👩‍🚀", "👩‍🚀"],
    ["a joiner elsewhere shows", "a\u200db", "a[U+200D]b"],
  ])("%s", (_name, text, want) => {
    expect(visibleText(text)).toBe(want);
    expect(hasHidden(text)).toBe(text !== want);
    expect(pieces(text).map((piece) => piece.text).join("").length).toBeGreaterThan(0);
  });
});
