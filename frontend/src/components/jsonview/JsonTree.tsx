import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useId, useMemo, useRef, useState } from "react";
import { isArray, isNumber, type JsonValue } from "../../utils/json";
import { writeJson } from "../../utils/jsonwrite";
import { CopyButton } from "./CopyButton";
import classes from "./jsonview.module.css";
import { visibleText } from "../../utils/visible";
import { BLANKS, CountedBlanks } from "./blanks";
import { SeenPieces } from "./Seen";
import { TextView } from "./TextView";
import { type Openness, parentRow, sizeOf, type TreeRow, treeRows } from "./tree";

/** Longer texts are cut in their row and shown whole below once selected. */
const CUT = 300;
const SMALL_ROWS = 300;

/** A value as a tree that opens and folds. One line a value; the selected one is shown whole below. */
export function JsonTree({ value, label }: { value: JsonValue; label: string }) {
  const [openness, setOpenness] = useState<Openness>({ all: undefined, chosen: new Map() });
  const [selected, setSelected] = useState("");
  const rows = useMemo(() => treeRows(value, openness), [value, openness]);
  const at = Math.max(0, rows.findIndex((row) => row.id === selected));
  const toggle = (row: TreeRow, open: boolean) => setOpenness({ ...openness, chosen: new Map(openness.chosen).set(row.id, open) });
  const current = rows[at];
  return (
    <div className={classes["tree"]}>
      <TreeList rows={rows} at={at} label={label} onSelect={(row) => setSelected(row.id)} onToggle={toggle} />
      <div className={classes["bar"]}>
        <span className={classes["path"]}>{current === undefined || current.pointer === "" ? "whole value" : visibleText(current.pointer)}</span>
        {current !== undefined && <CopyButton label="Copy value" text={() => copyOf(current.value)} />}
        <button type="button" className={classes["plainButton"]} onClick={() => setOpenness({ all: true, chosen: new Map() })}>
          Open all
        </button>
        <button type="button" className={classes["plainButton"]} onClick={() => setOpenness({ all: false, chosen: new Map([["", true]]) })}>
          Fold all
        </button>
      </div>
      {current !== undefined && typeof current.value === "string" && current.value.length > CUT && (
        <TextView text={current.value} label={`Text at ${current.pointer}`} />
      )}
    </div>
  );
}

/** A text is copied as the text, anything else as JSON with its exact numbers. */
function copyOf(value: JsonValue): string {
  return typeof value === "string" ? value : writeJson(value, 2);
}

interface TreeListProps {
  rows: readonly TreeRow[];
  at: number;
  label: string;
  onSelect: (row: TreeRow) => void;
  onToggle: (row: TreeRow, open: boolean) => void;
}

function TreeList({ rows, at, label, onSelect, onToggle }: TreeListProps) {
  const prefix = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const small = rows.length <= SMALL_ROWS;
  const list = useVirtualizer({
    count: small ? 0 : rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 22,
    overscan: 20,
    initialRect: { width: 600, height: 400 },
  });
  const go = (to: number) => {
    const row = rows[Math.min(Math.max(to, 0), rows.length - 1)];
    if (row === undefined) return;
    onSelect(row);
    if (small) document.getElementById(`${prefix}-${row.id}`)?.scrollIntoView({ block: "nearest" });
    else list.scrollToIndex(rows.indexOf(row));
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => go(at + 1),
    ArrowUp: () => go(at - 1),
    Home: () => go(0),
    End: () => go(rows.length - 1),
    PageDown: () => go(at + 15),
    PageUp: () => go(at - 15),
    ArrowRight: () => {
      const row = rows[at];
      if (row?.open === false) onToggle(row, true);
      else if (row?.open === true) go(at + 1);
    },
    ArrowLeft: () => {
      const row = rows[at];
      if (row?.open === true) onToggle(row, false);
      else go(parentRow(rows, at));
    },
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const item = (index: number) => {
    const row = rows[index];
    if (row === undefined) return null;
    return <Line key={row.id} id={`${prefix}-${row.id}`} row={row} selected={index === at} onSelect={() => onSelect(row)} onToggle={onToggle} />;
  };
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={`${prefix}-${rows[at]?.id ?? ""}`}
      className={classes["treeList"]}
      onKeyDown={onKeyDown}
    >
      {small ? (
        rows.map((_, index) => item(index))
      ) : (
        <div role="presentation" style={{ height: list.getTotalSize(), position: "relative" }}>
          {list.getVirtualItems().map((shown) => (
            <div
              key={shown.key}
              role="presentation"
              ref={list.measureElement}
              data-index={shown.index}
              className={classes["placed"]}
              style={{ transform: `translateY(${shown.start}px)` }}
            >
              {item(shown.index)}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

interface LineProps {
  id: string;
  row: TreeRow;
  selected: boolean;
  onSelect: () => void;
  onToggle: (row: TreeRow, open: boolean) => void;
}

function Line({ id, row, selected, onSelect, onToggle }: LineProps) {
  const { open } = row;
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-expanded={open}
      aria-selected={selected}
      className={classes["line"]}
      style={{ paddingInlineStart: Math.min(row.depth, 20) * 14 + 4 }}
      onClick={onSelect}
      onDoubleClick={() => open !== undefined && onToggle(row, !open)}
    >
      <span
        aria-hidden
        className={classes["twist"]}
        onClick={(event) => {
          if (open === undefined) return;
          event.stopPropagation();
          onSelect();
          onToggle(row, !open);
        }}
      >
        {open === undefined ? "" : open ? "▾" : "▸"}
      </span>
      {row.name !== undefined && (
        <>
          <span className={typeof row.name === "number" ? classes["index"] : classes["name"]}><SeenPieces text={String(row.name)} /></span>
          <span className={classes["colon"]}>: </span>
        </>
      )}
      <ValueText value={row.value} />
    </div>
  );
}

/** Of a long text, so much of its end is shown too: that is where a path tells what it is. */
const TAIL = 80;

function ValueText({ value }: { value: JsonValue }) {
  if (typeof value === "string") return <StringText value={value} />;
  if (isNumber(value)) {
    return (
      <span data-type="number" className={classes["value"]}>
        {value.text}
      </span>
    );
  }
  if (value === null || typeof value === "boolean") {
    return (
      <span data-type="word" className={classes["value"]}>
        {String(value)}
      </span>
    );
  }
  const size = sizeOf(value);
  const unit = isArray(value) ? (size === 1 ? "item" : "items") : size === 1 ? "entry" : "entries";
  return <span className={classes["note"]}>{size === 0 ? (isArray(value) ? "[ ]" : "{ }") : `${size.toLocaleString("en")} ${unit}`}</span>;
}

function StringText({ value }: { value: string }) {
  const quoted = (part: string) => JSON.stringify(part);
  const bare = value.length <= 8 * CUT ? quoted(value).replace(BLANKS, "").length : value.length;
  if (bare <= CUT) {
    return (
      <span data-type="string" className={classes["value"]}>
        <CountedBlanks text={quoted(value)} />
      </span>
    );
  }
  return (
    <span data-type="string" className={classes["value"]}>
      <CountedBlanks text={quoted(value.slice(0, CUT - TAIL)).slice(0, -1)} />
      <span className={classes["blanks"]}>{(value.length - CUT).toLocaleString("en")} characters</span>
      <CountedBlanks text={quoted(value.slice(-TAIL)).slice(1)} />
    </span>
  );
}
