/** A piece of a text: as it reads, or a character that does not show, in words. */
export type Piece = { kind: "text"; text: string } | { kind: "mark"; text: string; name: string };

const NAMES: Readonly<Record<number, string>> = {
  0x00: "null", 0x07: "bell", 0x08: "backspace", 0x0b: "vertical tab", 0x0c: "form feed", 0x0d: "carriage return", 0x1b: "escape", 0x7f: "delete",
  0xa0: "no-break space", 0xad: "soft hyphen", 0x61c: "Arabic letter mark", 0x200b: "zero width space", 0x200c: "zero width non-joiner",
  0x200d: "zero width joiner", 0x200e: "left-to-right mark", 0x200f: "right-to-left mark", 0x2028: "line separator", 0x2029: "paragraph separator",
  0x202a: "left-to-right embedding", 0x202b: "right-to-left embedding", 0x202c: "pop directional formatting", 0x202d: "left-to-right override",
  0x202e: "right-to-left override", 0x2060: "word joiner", 0x2066: "left-to-right isolate", 0x2067: "right-to-left isolate",
  0x2068: "first strong isolate", 0x2069: "pop directional isolate", 0xfeff: "byte order mark", 0xfffd: "replacement character",
};

// Controls other than tab and line feed, format characters (zero width, direction, tags), all that Unicode lets a font
// leave out (variation selectors, fillers, joiners, whether assigned yet or not), odd spaces, lone surrogates, private use.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\ufffd]/gu;

/** Whether a text holds anything that pieces() would mark. */
export function hasHidden(text: string): boolean {
  for (const match of text.matchAll(HIDDEN)) if (!joins(text, match.index, match[0]) && !plain(match[0])) return true;
  return false;
}

function plain(char: string): boolean {
  return char === "\n" || char === "\t";
}

/**
 * A joiner between two emoji is part of how they are written, and so is one selector of text or emoji style after one.
 * Any other carries something that nobody sees.
 */
function joins(text: string, at: number, char: string): boolean {
  if (char === "\u200d") {
    return /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?$/u.test(text.slice(Math.max(0, at - 6), at)) && /^\p{Extended_Pictographic}/u.test(text.slice(at + 1, at + 3));
  }
  if (char !== "\ufe0e" && char !== "\ufe0f") return false;
  return /\p{Extended_Pictographic}$/u.test(text.slice(Math.max(0, at - 2), at)) || (/[0-9#*]/.test(text.charAt(at - 1)) && text[at + 1] === "\u20e3");
}

/** What a character that has no name of its own here is, in words. */
function kindOf(code: number): string {
  if ((code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef)) return "variation selector";
  return code >= 0xe0000 && code <= 0xe007f ? "tag character" : "hidden character";
}

/** Cuts a text so that nothing in it stays unseen: what does not show becomes a mark with its code point. */
export function pieces(text: string): Piece[] {
  const out: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    const char = match[0];
    if (plain(char) || joins(text, match.index, char)) continue;
    if (match.index > from) out.push({ kind: "text", text: text.slice(from, match.index) });
    const code = char.codePointAt(0) ?? 0;
    const point = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
    out.push({ kind: "mark", text: point, name: NAMES[code] ?? kindOf(code) });
    from = match.index + char.length;
  }
  if (from < text.length) out.push({ kind: "text", text: text.slice(from) });
  return out;
}

/** The text on one line with everything visible, for names, titles and attributes. */
export function visibleText(text: string): string {
  return pieces(text)
    .map((piece) => (piece.kind === "text" ? piece.text : `[${piece.text}]`))
    .join("");
}
