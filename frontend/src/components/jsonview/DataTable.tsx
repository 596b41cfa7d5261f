import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { isNumber, type JsonValue } from "../../utils/json";
import { previewJson } from "../../utils/jsonwrite";
import classes from "./jsonview.module.css";
import { SeenPieces } from "./Seen";
import type { Table } from "./table";

const ROW_HEIGHT = 26;
const SMALL = 100;
const CELL = 200;

/** A list of objects as a table. Only the rows on screen are there; numbers stand as they came. */
export function DataTable({ table, label }: { table: Table; label: string }) {
  const { columns, rows, dropped } = table;
  const scroller = useRef<HTMLDivElement>(null);
  const small = rows.length <= SMALL;
  const list = useVirtualizer({
    count: small ? 0 : rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 15,
    initialRect: { width: 600, height: 400 },
  });
  const items = small ? rows.map((_, index) => ({ index, start: index * ROW_HEIGHT, size: ROW_HEIGHT })) : list.getVirtualItems();
  const first = items[0];
  const last = items.at(-1);
  const above = first?.start ?? 0;
  const below = Math.max(0, rows.length * ROW_HEIGHT - (last === undefined ? 0 : last.start + last.size));
  return (
    <div className={classes["view"]}>
      <div ref={scroller} className={classes["tableBox"]} role="group" aria-label={label} tabIndex={0}>
        <table className={classes["table"]} aria-rowcount={rows.length + 1}>
          <thead>
            <tr>
              <th scope="col" className={classes["index"]}>
                <span aria-hidden>#</span>
                <span className={classes["spoken"]}>Row</span>
              </th>
              {columns.map((column) => (
                <th key={column} scope="col">
                  <SeenPieces text={column} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {above > 0 && <Spacer height={above} span={columns.length + 1} />}
            {items.map(({ index }) => (
              <tr key={index} aria-rowindex={index + 2}>
                <td className={classes["index"]}>{index + 1}</td>
                {columns.map((column) => (
                  <Cell key={column} value={rows[index]?.get(column)} />
                ))}
              </tr>
            ))}
            {below > 0 && <Spacer height={below} span={columns.length + 1} />}
          </tbody>
        </table>
      </div>
      <div className={classes["note"]}>
        {rows.length.toLocaleString("en")} {rows.length === 1 ? "row" : "rows"}
        {dropped > 0 && `, ${dropped} more columns in the tree`}
      </div>
    </div>
  );
}

function Spacer({ height, span }: { height: number; span: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={span} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

function Cell({ value }: { value: JsonValue | undefined }) {
  if (value === undefined) return <td />;
  const text = typeof value === "string" ? value : previewJson(value, CELL);
  return (
    <td data-type={isNumber(value) ? "number" : value === null || typeof value === "boolean" ? "word" : "text"} className={classes["cell"]}>
      <SeenPieces text={text.length > CELL ? `${text.slice(0, CELL)}…` : text} />
    </td>
  );
}
