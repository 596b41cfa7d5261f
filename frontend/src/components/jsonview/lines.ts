/** Pieces of a line longer than this are rows of their own, so that one endless line cannot stall the view. */
export const ROW_LENGTH = 1_000;

/**
 * Where the rows of a text begin. A row is a line without its line break, or a
 * piece of a long one. Keeps two numbers per row and no copies of the text.
 */
export class Rows {
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];

  constructor(readonly text: string) {
    let at = 0;
    while (at <= text.length) {
      const found = text.indexOf("\n", at);
      const end = found < 0 ? text.length : found;
      this.addLine(at, end);
      at = end + 1;
      if (found < 0) break;
    }
  }

  private addLine(start: number, end: number): void {
    let at = start;
    do {
      let next = Math.min(end, at + ROW_LENGTH);
      // A pair of surrogates stays together.
      if (next < end && isHighSurrogate(this.text.charCodeAt(next - 1))) next++;
      this.starts.push(at);
      this.ends.push(next);
      at = next;
    } while (at < end);
  }

  get count(): number {
    return this.starts.length;
  }

  /** Start and end of a row in the text. */
  span(row: number): [start: number, end: number] {
    return [this.starts[row] ?? 0, this.ends[row] ?? 0];
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
