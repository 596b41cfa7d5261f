import { isArray, isObject, type JsonValue } from "../../utils/json";
import { child } from "../../utils/jsonpointer";

/** One line of a tree. */
export interface TreeRow {
  /** Position path such as "0.2"; unlike a pointer it also tells repeated keys apart. "" is the root. */
  id: string;
  pointer: string;
  depth: number;
  /** The key or index; undefined for the root. */
  name: string | number | undefined;
  value: JsonValue;
  /** undefined for what has nothing inside. */
  open: boolean | undefined;
}

/** What is open: an explicit choice by row id, else what `all` or the size says. */
export interface Openness {
  all: boolean | undefined;
  chosen: ReadonlyMap<string, boolean>;
}

/** Rows beyond this are not listed; the last one then says so. */
export const MAX_ROWS = 500_000;

export function sizeOf(value: JsonValue): number {
  if (isArray(value)) return value.length;
  return isObject(value) ? value.size : 0;
}

function isOpen(openness: Openness, id: string, depth: number, size: number): boolean {
  const chosen = openness.chosen.get(id);
  if (chosen !== undefined) return chosen;
  return openness.all ?? (depth === 0 || (depth < 3 && size <= 20));
}

/** The rows that show, in order. Without recursion, so depth costs nothing. */
export function treeRows(root: JsonValue, openness: Openness): TreeRow[] {
  const rows: TreeRow[] = [];
  const stack: Omit<TreeRow, "open">[] = [{ id: "", pointer: "", depth: 0, name: undefined, value: root }];
  for (let next = stack.pop(); next !== undefined && rows.length < MAX_ROWS; next = stack.pop()) {
    const { id, pointer, depth, value } = next;
    const size = sizeOf(value);
    const open = size === 0 ? undefined : isOpen(openness, id, depth, size);
    rows.push({ ...next, open });
    if (open !== true) continue;
    for (let at = size - 1; at >= 0; at--) {
      const entry = isObject(value) ? value.entries[at] : undefined;
      const name = entry === undefined ? at : entry[0];
      const item = entry === undefined ? (isArray(value) ? value[at] : undefined) : entry[1];
      if (item === undefined) continue;
      stack.push({ id: id === "" ? String(at) : `${id}.${at}`, pointer: child(pointer, name), depth: depth + 1, name, value: item });
    }
  }
  return rows;
}

/** The row of the parent, -1 for the root. */
export function parentRow(rows: readonly TreeRow[], at: number): number {
  const depth = rows[at]?.depth ?? 0;
  for (let i = at - 1; i >= 0; i--) if ((rows[i]?.depth ?? 0) < depth) return i;
  return -1;
}
