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
    ["bytes smuggled in variation selectors show", "ok\ufe00\u{e0100}\u{e01ef}", "ok[U+FE00][U+E0100][U+E01EF]"],
    ["a selector after a letter shows", "a\ufe0fb", "a[U+FE0F]b"],
    ["more than one selector after an emoji shows", "\u2764\ufe0f\ufe0f", "\u2764\ufe0f[U+FE0F]"],
    ["one selector after an emoji is how it is written", "\u2764\ufe0f \u{1f575}\ufe0f 1\ufe0f\u20e3", "\u2764\ufe0f \u{1f575}\ufe0f 1\ufe0f\u20e3"],
    ["a digit's selector without a keycap shows", "1\ufe0f2", "1[U+FE0F]2"],
    ["ignorable characters that are no format characters show", "a\u034f\u17b4\u180b\u{e0002}\u2065b", "a[U+034F][U+17B4][U+180B][U+E0002][U+2065]b"],
    ["fillers and the Ogham space show", "a\u3164\u115f\u1680b", "a[U+3164][U+115F][U+1680]b"],
  ])("%s", (_name, text, want) => {
    expect(visibleText(text)).toBe(want);
    expect(hasHidden(text)).toBe(text !== want);
    expect(pieces(text).map((piece) => piece.text).join("").length).toBeGreaterThan(0);
  });
});
