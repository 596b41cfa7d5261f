import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useRef, useState } from "react";
import type { ListLine, ListPage, ListView } from "../../api/types";
import { Tone } from "../../components/ui";
import { useBackend } from "../../state/backend";
import { useResource } from "../../state/resource";
import type { Navigate } from "../../state/route";
import { visibleText } from "../../utils/visible";
import { isWaiting } from "../calls/words";
import classes from "./lists.module.css";
import { lineWords } from "./listwords";

const ROW = 32;
/** Lines are fetched in steps of so many, three steps at a time. */
const STEP = 100;

/** The lines of a list, of which only those near the eye are fetched. Up and Down move; Enter opens the call. */
export function LineTable({ list, onNavigate }: { list: ListView; onNavigate: Navigate }) {
  const backend = useBackend();
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: list.lines, getScrollElement: () => box.current, estimateSize: () => ROW, overscan: 10, initialRect: { width: 600, height: 480 } });
  const items = rows.getVirtualItems();
  const from = Math.max(0, Math.floor((items[0]?.index ?? 0) / STEP) * STEP);
  const page = useResource(`list ${list.id} ${from}`, () => backend.lists.get(list.id, from, 3 * STEP), ["lists"], (change) => change.id === "" || change.id === list.id);
  // What was fetched stays until the next is there.
  const [shown, setShown] = useState<ListPage>();
  if (page.data !== undefined && page.data !== shown) setShown(page.data);

  const move = (event: KeyboardEvent, at: number) => {
    const to = event.key === "ArrowDown" ? at + 1 : event.key === "ArrowUp" ? at - 1 : -1;
    if (to < 0 || to >= list.lines) return;
    event.preventDefault();
    rows.scrollToIndex(to);
    const find = () => box.current?.querySelector<HTMLElement>(`[data-index="${to}"]`);
    const there = find();
    if (there != null) there.focus();
    else requestAnimationFrame(() => find()?.focus());
  };
  return (
    <>
      {page.error !== undefined && (
        <p className={classes["bad"]} role="status">
          The lines are not up to date: {page.error.message}
        </p>
      )}
      <div ref={box} className={classes["rows"]}>
        <ul aria-label="Lines" className={classes["table"]} style={{ height: rows.getTotalSize() }}>
          {items.map((item) => (
            <li key={item.index} className={classes["placed"]} style={{ transform: `translateY(${item.start}px)` }} aria-setsize={list.lines} aria-posinset={item.index + 1}>
              <Line line={shown?.lines[item.index - shown.from]} index={item.index} onNavigate={onNavigate} onKeyDown={(event) => move(event, item.index)} />
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

interface LineProps {
  /** undefined while it is fetched. */
  line: ListLine | undefined;
  index: number;
  onNavigate: Navigate;
  onKeyDown: (event: KeyboardEvent) => void;
}

function Line({ line, index, onNavigate, onKeyDown }: LineProps) {
  if (line === undefined) return <div className={classes["row"]} />;
  const { tone, word } = lineWords(line.state);
  const open = () => {
    if (line.callId === "" || line.state === "ready" || line.state === "not_proposed") return;
    onNavigate(isWaiting(line.state) ? "approvals" : "history", line.callId);
  };
  const reason = visibleText(line.reason);
  return (
    <button type="button" className={classes["row"]} data-index={index} tabIndex={index === 0 ? 0 : -1} aria-disabled={line.callId === "" ? "true" : undefined} title={reason} onClick={open} onKeyDown={onKeyDown}>
      <span className={classes["number"]}>{line.line}</span>
      <span>{visibleText(line.tool)}</span>
      <span className={classes["quiet"]}>{visibleText(line.serverName)}</span>
      <Tone tone={tone} word={word} />
      <span className={classes["quiet"]}>{reason}</span>
    </button>
  );
}
