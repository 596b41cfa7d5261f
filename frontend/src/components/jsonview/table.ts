import { isArray, isObject, type JsonObject, type JsonValue } from "../../utils/json";

/** A list of objects, laid out as rows and columns. */
export interface Table {
  /** The key under which the list stands, "" when it is the whole value. */
  name: string;
  columns: readonly string[];
  /** Columns beyond those shown. */
  dropped: number;
  rows: readonly JsonObject[];
}

const MAX_COLUMNS = 40;

/** The table in a value: the value itself, or its only list of objects. Undefined when there is none. */
export function tableOf(value: JsonValue): Table | undefined {
  if (isArray(value)) return build("", value);
  if (!isObject(value)) return undefined;
  const lists = value.entries.filter(([, member]) => isArray(member) && member.length > 0);
  const [only] = lists;
  return only !== undefined && lists.length === 1 && isArray(only[1]) ? build(only[0], only[1]) : undefined;
}

function build(name: string, items: readonly JsonValue[]): Table | undefined {
  if (items.length === 0 || !items.every((item) => isObject(item) && item.size > 0)) return undefined;
  const rows = items as readonly JsonObject[];
  const columns = new Set<string>();
  for (const row of rows) for (const key of row.keys()) columns.add(key);
  // Objects that share nothing are no table.
  const [first] = columns;
  if (first === undefined || columns.size > 4 * (rows[0]?.size ?? 0)) return undefined;
  const all = [...columns];
  return { name, columns: all.slice(0, MAX_COLUMNS), dropped: Math.max(0, all.length - MAX_COLUMNS), rows };
}
