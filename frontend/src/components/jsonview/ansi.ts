/** The looks that terminal colour codes may give a run of text. Never its background, and never invisible. */
export interface Look {
  /** 0-7, the eight classic colours by their nearest theme-safe shade; -1 for none. */
  color: number;
  bold: boolean;
  italic: boolean;
  underline: boolean;
}

const PLAIN: Look = { color: -1, bold: false, italic: false, underline: false };

/** CSI, OSC and the two-character escape sequences. */
const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;

/** Whether the text holds terminal control sequences. */
export function hasAnsi(text: string): boolean {
  return text.includes("\u001b") && text.search(SEQUENCE) >= 0;
}

/** The text without terminal control sequences. */
export function stripAnsi(text: string): string {
  return text.includes("\u001b") ? text.replace(SEQUENCE, "") : text;
}

export interface AnsiText {
  /** Without the sequences. */
  text: string;
  /** Where a look begins in `text`, ascending; each lasts to the next. */
  marks: readonly { at: number; look: Look }[];
}

/** Takes the sequences out and notes the looks they ask for. */
export function readAnsi(raw: string): AnsiText {
  const parts: string[] = [];
  const marks: { at: number; look: Look }[] = [];
  let look = PLAIN;
  let from = 0;
  let length = 0;
  for (const match of raw.matchAll(SEQUENCE)) {
    parts.push(raw.slice(from, match.index));
    length += match.index - from;
    from = match.index + match[0].length;
    if (!match[0].startsWith("\u001b[") || !match[0].endsWith("m")) continue;
    look = applied(look, match[0].slice(2, -1));
    marks.push({ at: length, look });
  }
  parts.push(raw.slice(from));
  return { text: parts.join(""), marks };
}

function applied(before: Look, codes: string): Look {
  const numbers = codes.split(/[;:]/).map((code) => (code === "" ? 0 : Number(code)));
  let look = before;
  for (let i = 0; i < numbers.length; i++) {
    const code = numbers[i] ?? 0;
    if (code === 0) look = PLAIN;
    else if (code === 1) look = { ...look, bold: true };
    else if (code === 3) look = { ...look, italic: true };
    else if (code === 4) look = { ...look, underline: true };
    else if (code === 22) look = { ...look, bold: false };
    else if (code === 23) look = { ...look, italic: false };
    else if (code === 24) look = { ...look, underline: false };
    else if (code >= 30 && code <= 37) look = { ...look, color: code - 30 };
    else if (code >= 90 && code <= 97) look = { ...look, color: code - 90 };
    else if (code === 39) look = { ...look, color: -1 };
    else if (code === 38 || code === 48) {
      const [color, used] = extended(numbers.slice(i + 1));
      if (code === 38) look = { ...look, color };
      i += used;
    }
  }
  return look;
}

/** The nearest of the eight colours for a 256-colour or 24-bit code, and how many numbers it took. */
function extended(rest: readonly number[]): [color: number, used: number] {
  const [mode, a = 0, b = 0, c = 0] = rest;
  if (mode === 2) return [nearest(a, b, c), 4];
  if (mode !== 5) return [-1, 1];
  if (a < 16) return [a % 8, 2];
  if (a >= 232) return [nearest(a * 10 - 2312, a * 10 - 2312, a * 10 - 2312), 2];
  const cube = a - 16;
  return [nearest(Math.floor(cube / 36) * 51, (Math.floor(cube / 6) % 6) * 51, (cube % 6) * 51), 2];
}

function nearest(red: number, green: number, blue: number): number {
  const most = Math.max(red, green, blue, 1);
  const on = (part: number) => (part >= most * 0.66 && part > 60 ? 1 : 0);
  return on(red) + on(green) * 2 + on(blue) * 4;
}

/** The pieces of a stretch of the text, each with its look. */
export function piecesOf(ansi: AnsiText, start: number, end: number): { text: string; look: Look }[] {
  let low = 0;
  let high = ansi.marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ansi.marks[middle]?.at ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  let look = ansi.marks[low - 1]?.look ?? PLAIN;
  const pieces: { text: string; look: Look }[] = [];
  let from = start;
  for (let i = low; i < ansi.marks.length && from < end; i++) {
    const mark = ansi.marks[i];
    if (mark === undefined || mark.at >= end) break;
    if (mark.at > from) pieces.push({ text: ansi.text.slice(from, mark.at), look });
    from = mark.at;
    look = mark.look;
  }
  if (from < end) pieces.push({ text: ansi.text.slice(from, end), look });
  return pieces;
}
