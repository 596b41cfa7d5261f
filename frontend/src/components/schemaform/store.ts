import { isObject, type JsonValue } from "../../utils/json";
import { parseJson, type JsonProblem } from "../../utils/jsonparse";
import { child, isWithin, valueAt, withValueAt } from "../../utils/jsonpointer";
import { writeJson } from "../../utils/jsonwrite";

export type Read = { ok: true; value: JsonValue } | { ok: false; problem: JsonProblem };

/**
 * What a form knows beside its value: the value's text as last read or
 * written, what is unfinished, and what fields want to remember across being
 * shown and hidden (the variant chosen, the value of a variant left, unfinished
 * JSON, which groups are open). Belongs to one mounted form.
 */
export class FormStore {
  private text: string | undefined;
  private current: Read = { ok: false, problem: { message: "Nothing is written here", offset: 0, line: 1, column: 1 } };
  private readonly unfinished = new Map<string, string>();
  private memory = new Map<string, unknown>();
  private ids = 0;
  private drawn = true;
  private emit: (text: string, valid: boolean) => void = () => undefined;

  onEmit(emit: (text: string, valid: boolean) => void): void {
    this.emit = emit;
  }

  /** The value of a text. The text last written by this form gives back the very same objects. */
  read(text: string): Read {
    if (text !== this.text) {
      this.current = parseJson(text);
      this.text = text;
      this.unfinished.clear();
    }
    return this.current;
  }

  get value(): JsonValue | undefined {
    return this.current.ok ? this.current.value : undefined;
  }

  /** Sets or takes out the value at a place, and tells the owner. */
  update(pointer: string, value: JsonValue | undefined): void {
    for (const place of [...this.unfinished.keys()]) {
      if (isWithin(place, pointer) && (place !== pointer || value === undefined)) this.unfinished.delete(place);
    }
    this.replace(withValueAt(this.value, pointer, value) ?? this.value);
  }

  /** Renames a member of an object, moving what is remembered of it. */
  rename(pointer: string, from: string, to: string): void {
    const changed = this.change(pointer, (here) => (isObject(here) && !here.has(to) ? here.renamed(from, to) : here));
    if (!changed) return;
    this.move([[child(pointer, from), child(pointer, to)]]);
    this.tell();
  }

  /** Swaps, removes or otherwise rearranges rows: `order` lists the former positions in their new order. */
  rearrange(pointer: string, order: readonly number[]): void {
    const changed = this.change(pointer, (here) =>
      Array.isArray(here) ? order.flatMap((from) => (from < here.length ? [(here as JsonValue[])[from] ?? null] : [])) : here,
    );
    if (!changed) return;
    const rows = this.recall<number[]>(`rows:${pointer}`);
    if (rows !== undefined) this.remember(`rows:${pointer}`, order.map((from) => rows[from] ?? this.nextId()));
    const kept = new Set(order);
    const gone = [...(rows ?? []).keys()].filter((at) => !kept.has(at)).map((at) => [child(pointer, at), undefined] as const);
    this.move([...gone, ...order.map((from, to) => [child(pointer, from), child(pointer, to)] as const)]);
    this.tell();
  }

  /** Identities of rows, so that a row keeps its looks while it moves. */
  rows(pointer: string, length: number): readonly number[] {
    const key = `rows:${pointer}`;
    const rows = this.recall<number[]>(key) ?? [];
    if (rows.length === length) return rows;
    const next = Array.from({ length }, (_, at) => rows[at] ?? this.nextId());
    this.remember(key, next);
    return next;
  }

  recall<T>(key: string): T | undefined {
    return this.memory.get(key) as T | undefined;
  }

  remember(key: string, value: unknown): void {
    if (value === undefined) this.memory.delete(key);
    else this.memory.set(key, value);
  }

  /** Notes that a place is unfinished, or no longer. */
  setUnfinished(pointer: string, reason: string | undefined): void {
    if (this.unfinished.get(pointer) === reason) return;
    if (reason === undefined) this.unfinished.delete(pointer);
    else this.unfinished.set(pointer, reason);
    if (this.text !== undefined) this.emit(this.text, this.valid);
  }

  /** The text is an object and, while the form is what the person looks at, nothing in it is unfinished. */
  get valid(): boolean {
    return this.current.ok && isObject(this.current.value) && (!this.drawn || this.unfinished.size === 0);
  }

  /** Says whether the form (and not the JSON text) is on screen. */
  setDrawn(drawn: boolean): void {
    if (this.drawn === drawn) return;
    this.drawn = drawn;
    this.tell();
  }

  private change(pointer: string, edit: (here: JsonValue | undefined) => JsonValue | undefined): boolean {
    const here = valueAt(this.value, pointer);
    const next = edit(here);
    if (next === here) return false;
    this.store(withValueAt(this.value, pointer, next));
    return true;
  }

  private replace(value: JsonValue | undefined): void {
    this.store(value);
    this.tell();
  }

  private store(value: JsonValue | undefined): void {
    if (value === undefined) return;
    this.current = { ok: true, value };
    this.text = writeJson(value, 2);
  }

  private tell(): void {
    if (this.text !== undefined) this.emit(this.text, this.valid);
  }

  private nextId(): number {
    return ++this.ids;
  }

  private move(moves: readonly (readonly [from: string, to: string | undefined])[]): void {
    this.memory = moved(this.memory, moves);
    const unfinished = moved(this.unfinished, moves);
    this.unfinished.clear();
    for (const [key, reason] of unfinished) this.unfinished.set(key, reason);
  }
}

/** Keys are "kind:pointer" or a bare pointer; entries at or inside a moved place move along, others stay. */
function moved<T>(map: ReadonlyMap<string, T>, moves: readonly (readonly [from: string, to: string | undefined])[]): Map<string, T> {
  const out = new Map<string, T>();
  for (const [key, value] of map) {
    const at = key.indexOf("/") < 0 ? key.length : key.indexOf("/");
    const pointer = key.slice(at);
    const move = moves.find(([from]) => isWithin(pointer, from));
    if (move === undefined) out.set(key, value);
    else if (move[1] !== undefined) out.set(key.slice(0, at) + move[1] + pointer.slice(move[0].length), value);
  }
  return out;
}
