import { ActionIcon, Button, TextInput } from "@mantine/core";
import { IconRefresh, IconSearch } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { ToolGroup } from "../../../api/types";
import { Seen } from "../../../components/jsonview";
import { ToolIcon } from "../../../components/tool";
import { visibleText } from "../../../utils/visible";
import { type ListRow, listRows, toolKey } from "../rows";
import { exactly } from "../../../utils/time";
import { freshnessWords } from "../when";
import classes from "./tools.module.css";

/** Lists up to this long are laid out whole. */
const SMALL = 150;
/** The list has come to rest when it did not scroll for so long, in milliseconds. */
const REST = 200;

export interface ToolListProps {
  groups: readonly ToolGroup[];
  search: string;
  onSearch: (search: string) => void;
  /** Key of the tool on the page beside, "" for none. */
  selected: string;
  onSelect: (serverId: string, name: string) => void;
  onRefresh: (serverId: string) => void;
  onServers: () => void;
  /** Where the list stands, in pixels, when it is shown; and told when it comes to rest elsewhere. */
  scroll: number;
  onScrolled: (top: number) => void;
  /** How many tools came or went that the list does not show yet. */
  waiting: number;
  /** Whether the pointer or the focus is in the list. */
  onReading: (reading: boolean) => void;
  onShowWaiting: () => void;
  now: Date;
}

/** All tools by server, with a search. Up, Down, Home and End move; Enter opens. */
export function ToolList(props: ToolListProps) {
  const { groups, search, onSearch } = props;
  const rows = useMemo(() => listRows(groups, search), [groups, search]);
  const scroller = useRef<HTMLDivElement>(null);
  const small = rows.length <= SMALL;
  const [start] = useState(props.scroll);
  useLayoutEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = start;
  }, [start]);
  const list = useVirtualizer({
    count: small ? 0 : rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 32,
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 12,
    initialRect: { width: 360, height: 600 },
    initialOffset: start,
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const rest = (top: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => props.onScrolled(Math.round(top)), REST);
  };
  const toolAt = (from: number, step: 1 | -1): number => {
    for (let at = from; at >= 0 && at < rows.length; at += step) if (rows[at]?.kind === "tool") return at;
    return -1;
  };
  const focusRow = (at: number) => {
    const row = rows[at];
    if (row === undefined) return;
    if (!small) list.scrollToIndex(at);
    const find = () => scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row.key)}"]`);
    const there = find();
    if (there != null) there.focus();
    else requestAnimationFrame(() => find()?.focus());
  };
  const move = (event: KeyboardEvent, at: number) => {
    const moves: Record<string, () => number> = {
      ArrowDown: () => toolAt(at + 1, 1),
      ArrowUp: () => toolAt(at - 1, -1),
      Home: () => toolAt(0, 1),
      End: () => toolAt(rows.length - 1, -1),
    };
    const to = moves[event.key]?.();
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (to >= 0) focusRow(to);
    else if (event.key === "ArrowUp") document.getElementById("tools-search")?.focus();
  };
  const searchKeys = (event: KeyboardEvent) => {
    const first = toolAt(0, 1);
    const row = rows[first];
    if (event.key === "ArrowDown" && first >= 0) {
      event.preventDefault();
      focusRow(first);
    } else if (event.key === "Enter" && search !== "" && row?.kind === "tool") props.onSelect(row.group.server.id, row.tool.name);
    else if (event.key === "Escape" && search !== "") onSearch("");
  };
  const found = rows.reduce((sum, row) => sum + (row.kind === "tool" ? 1 : 0), 0);
  const line = (at: number) => {
    const row = rows[at];
    return row === undefined ? null : <Line key={row.key} row={row} props={props} onKeyDown={(event) => move(event, at)} />;
  };
  return (
    <div className={classes["listPane"]}>
      <div className={classes["search"]}>
        <TextInput
          id="tools-search"
          type="search"
          size="xs"
          aria-label="Search tools"
          placeholder="Search tools"
          leftSection={<IconSearch size={14} aria-hidden />}
          value={search}
          onChange={(event) => onSearch(event.currentTarget.value)}
          onKeyDown={searchKeys}
          autoComplete="off"
          spellCheck={false}
        />
        <span className={classes["quiet"]} aria-live="polite">
          {search === "" ? "" : found === 1 ? "1 tool" : `${found} tools`}
        </span>
      </div>
      {props.waiting > 0 && (
        <Button variant="subtle" size="compact-xs" className={classes["waiting"]} onClick={props.onShowWaiting}>
          {props.waiting} changed
        </Button>
      )}
      <div
        ref={scroller}
        className={classes["scroller"]}
        onPointerEnter={() => props.onReading(true)}
        onPointerLeave={() => props.onReading(false)}
        onScroll={(event) => rest(event.currentTarget.scrollTop)}
      >
        {rows.length === 0 && <p className={classes["nothing"]}>No tool matches “{search}”.</p>}
        {small ? (
          rows.map((_, at) => line(at))
        ) : (
          <div style={{ height: list.getTotalSize(), position: "relative" }}>
            {list.getVirtualItems().map((item) => (
              <div key={item.key} ref={list.measureElement} data-index={item.index} className={classes["placed"]} style={{ transform: `translateY(${item.start}px)` }}>
                {line(item.index)}
              </div>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

function Line({ row, props, onKeyDown }: { row: ListRow; props: ToolListProps; onKeyDown: (event: KeyboardEvent) => void }) {
  switch (row.kind) {
    case "group":
      return <GroupLine group={row.group} shown={row.shown} now={props.now} onRefresh={props.onRefresh} />;
    case "note":
      return (
        <div className={classes["noteLine"]} data-tone={row.tone}>
          <Seen text={row.text} />
          {row.action === "servers" && (
            <Button variant="default" size="compact-xs" onClick={props.onServers}>
              Go to servers
            </Button>
          )}
        </div>
      );
    case "tool":
      return <ToolLine row={row} selected={props.selected} onSelect={props.onSelect} onKeyDown={onKeyDown} />;
  }
}

function GroupLine({ group, shown, now, onRefresh }: { group: ToolGroup; shown: number; now: Date; onRefresh: (serverId: string) => void }) {
  const { server, freshness, received } = group;
  return (
    <div className={classes["groupLine"]}>
      <ToolIcon icon={server.icon} name={server.name} hue={server.hue} size={18} />
      <h2 className={classes["groupName"]}>
        <Seen text={server.name} />
      </h2>
      <span className={classes["quiet"]}>{shown > 0 && shown.toLocaleString("en")}</span>
      <span className={classes["fresh"]} title={exactly(received)}>
        {freshnessWords(freshness, received, now)}
      </span>
      {server.state === "running" && (
        <ActionIcon variant="subtle" color="gray" size={22} aria-label={`List the tools of ${visibleText(server.name)} again`} onClick={() => onRefresh(server.id)}>
          <IconRefresh size={14} aria-hidden />
        </ActionIcon>
      )}
    </div>
  );
}

interface ToolLineProps {
  row: ListRow & { kind: "tool" };
  selected: string;
  onSelect: (serverId: string, name: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

function ToolLine({ row, selected, onSelect, onKeyDown }: ToolLineProps) {
  const { tool, group } = row;
  const { server } = group;
  const key = toolKey(server.id, tool.name);
  const title = tool.title === "" ? tool.name : tool.title;
  const off = tool.hidden !== "" || tool.problem !== "";
  return (
    <button
      type="button"
      className={classes["toolLine"]}
      data-row={row.key}
      data-off={off}
      aria-current={selected === key ? "true" : undefined}
      title={visibleText([tool.name, tool.hidden, tool.problem].filter((part) => part !== "").join("\n"))}
      onClick={() => onSelect(server.id, tool.name)}
      onKeyDown={onKeyDown}
    >
      <ToolIcon icon={tool.icon} name={title} hue={server.hue} />
      <span className={classes["toolTitle"]}>{visibleText(title)}</span>
      {tool.title !== "" && tool.title !== tool.name && <code className={classes["toolName"]}>{visibleText(tool.name)}</code>}
      <span className={classes["toolAbout"]}>{visibleText(tool.description.split("\n")[0] ?? "")}</span>
      {tool.change !== "" && <span className={classes["mark"]}>{tool.change}</span>}
      {off && <span className={classes["mark"]}>{tool.hidden !== "" ? "cannot be called" : "has a problem"}</span>}
    </button>
  );
}
