import { Button } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, memo, useEffect, useRef, useState } from "react";
import type { CallView } from "../../api/types";
import { ToolIcon } from "../../components/tool";
import { Tone, useNow, When } from "../../components/ui";
import { lasting } from "../../utils/time";
import { visibleText } from "../../utils/visible";
import { stateWords, titleOf } from "../calls/words";
import classes from "./history.module.css";
import type { History } from "./useHistory";

const ROW = 32;
/** The next page is asked for this many rows before the end. */
const AHEAD = 30;
/** The list has come to rest when it did not scroll for so long, in milliseconds. */
const REST = 200;

export interface HistoryListProps {
  history: History;
  rows: readonly CallView[];
  selected: string;
  onSelect: (id: string) => void;
  /** Whether the person reads: the pointer or the focus is in the list, or it is scrolled. */
  onReading: (reading: boolean) => void;
  scroll: number;
  onScrolled: (top: number) => void;
}

/** The rows of the history. Up, Down, Home, End and the page keys move; Enter opens. */
export function HistoryList({ history, rows, selected, onSelect, onReading, scroll, onScrolled }: HistoryListProps) {
  const now = useNow();
  const box = useRef<HTMLDivElement>(null);
  const [start] = useState(scroll);
  const inside = useRef({ pointer: false, focus: false });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    getItemKey: (at) => rows[at]?.id ?? at,
    overscan: 12,
    initialRect: { width: 400, height: 600 },
    initialOffset: start,
  });
  const items = list.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const { loadMore, more } = history;
  useEffect(() => {
    if (more && last >= rows.length - AHEAD) loadMore();
  }, [more, last, rows.length, loadMore]);

  const tellReading = () => onReading(inside.current.pointer || inside.current.focus || (box.current?.scrollTop ?? 0) > 0);
  const rest = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      tellReading();
      onScrolled(Math.round(box.current?.scrollTop ?? 0));
    }, REST);
  };
  const at = rows.findIndex((row) => row.id === selected);
  const stop = at < 0 ? (items[0]?.index ?? 0) : at;
  const focus = (to: number) => {
    const row = rows[to];
    if (row === undefined) return;
    list.scrollToIndex(to);
    const find = () => box.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row.id)}"]`);
    const there = find();
    if (there != null) there.focus();
    else requestAnimationFrame(() => find()?.focus());
  };
  const move = (event: KeyboardEvent, from: number) => {
    const step = Math.max(1, Math.floor((box.current?.clientHeight ?? 320) / ROW) - 1);
    const to: Record<string, number> = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: rows.length - 1, PageDown: Math.min(rows.length - 1, from + step), PageUp: Math.max(0, from - step) };
    const next = to[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    focus(next);
  };
  return (
    <>
      {history.fresh.length > 0 && (
        <Button variant="subtle" size="compact-sm" className={classes["fresh"]} onClick={history.showFresh}>
          {history.gap ? "Many new" : `${history.fresh.length} new`}
        </Button>
      )}
      {history.error !== undefined && (
        <p className={classes["bad"]} role="status">
          Not up to date: {history.error.message}{" "}
          <Button variant="default" size="compact-xs" onClick={history.retry}>
            Try again
          </Button>
        </p>
      )}
      <div
        ref={box}
        className={classes["rows"]}
        onScroll={rest}
        onPointerEnter={() => {
          inside.current.pointer = true;
          tellReading();
        }}
        onPointerLeave={() => {
          inside.current.pointer = false;
          tellReading();
        }}
        onFocus={() => {
          inside.current.focus = true;
          tellReading();
        }}
        onBlur={() => {
          inside.current.focus = false;
          tellReading();
        }}
      >
        <ul aria-label="Calls" className={classes["list"]} style={{ height: list.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index];
            return row === undefined ? null : (
              <li key={row.id} className={classes["placed"]} style={{ transform: `translateY(${item.start}px)` }} aria-setsize={history.total} aria-posinset={item.index + 1}>
                <Row row={row} now={now} selected={row.id === selected} stop={item.index === stop} onSelect={onSelect} onKeyDown={(event) => move(event, item.index)} />
              </li>
            );
          })}
        </ul>
      </div>
    </>
  );
}

interface RowProps {
  row: CallView;
  now: Date;
  selected: boolean;
  /** The one row that the Tab key stops at. */
  stop: boolean;
  onSelect: (id: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

const Row = memo(function Row({ row, now, selected, stop, onSelect, onKeyDown }: RowProps) {
  const title = visibleText(titleOf(row));
  const { tone, word } = stateWords(row.state);
  return (
    <button type="button" className={classes["row"]} data-row={row.id} tabIndex={stop ? 0 : -1} aria-current={selected ? "true" : undefined} onClick={() => onSelect(row.id)} onKeyDown={onKeyDown}>
      <ToolIcon icon={row.icon} name={title} hue={row.hue} size={20} />
      <span className={classes["name"]}>{title}</span>
      <span className={classes["server"]}>{visibleText(row.serverName)}</span>
      <span className={classes["state"]}>
        <Tone tone={tone} word={word} />
      </span>
      <span className={classes["number"]}>{lasting(row.durationMs)}</span>
      <span className={classes["time"]}>
        <When at={row.created} now={now} />
      </span>
    </button>
  );
});
