import { useCallback, useEffect, useMemo, useState } from "react";
import { useResource } from "../../state/resource";
import { useBackend } from "../../state/backend";
import { usePersisted } from "../../state/persisted";
import type { Navigate } from "../../state/route";
import { ToolsLayout } from "./parts/ToolsLayout";
import { toolKey } from "./rows";
import { OpenTool } from "./OpenTool";
import { useHeld } from "./useHeld";

/** How often the ages in words are brought up to date, in milliseconds. */
const TICK = 30_000;

export interface ToolsScreenProps {
  /** The selected tool as [server, tool] in JSON, "" for none. */
  item: string;
  onNavigate: Navigate;
}

/** All tools of all servers, and the page of the selected one. */
export function ToolsScreen({ item, onNavigate }: ToolsScreenProps) {
  const backend = useBackend();
  const list = useResource("tools", () => backend.tools.list(), ["tools", "servers"]);
  const [search, setSearch] = usePersisted("tools:search", "");
  const [scroll, setScroll] = usePersisted("tools:scroll", 0);
  const now = useNow();
  const held = useHeld(list.data);
  const place = useMemo(() => readItem(item), [item]);
  const close = useCallback(() => onNavigate("tools", ""), [onNavigate]);
  const refresh = (serverId: string) => {
    // What goes wrong is kept with the server's list and shown there.
    backend.tools.refresh(serverId).catch(() => list.refresh());
  };
  const { error } = list;
  return (
    <ToolsLayout
      groups={held.groups}
      failure={error === undefined ? "" : `The tools could not be read: ${error.message} ${error.hint}`.trim()}
      onRetry={list.refresh}
      search={typeof search === "string" ? search : ""}
      onSearch={setSearch}
      scroll={typeof scroll === "number" ? scroll : 0}
      onScrolled={setScroll}
      waiting={held.waiting}
      onReading={held.setReading}
      onShowWaiting={held.show}
      selected={place === undefined ? "" : item}
      onSelect={(serverId, name) => onNavigate("tools", toolKey(serverId, name))}
      onRefresh={refresh}
      onServers={() => onNavigate("servers")}
      now={now}
      page={place === undefined ? undefined : <OpenTool key={item} serverId={place[0]} name={place[1]} onNavigate={onNavigate} onBack={close} now={now} />}
    />
  );
}

function readItem(item: string): [serverId: string, name: string] | undefined {
  if (item === "") return undefined;
  try {
    const read: unknown = JSON.parse(item);
    const [serverId, name] = Array.isArray(read) ? (read as unknown[]) : [];
    return typeof serverId === "string" && typeof name === "string" ? [serverId, name] : undefined;
  } catch {
    return undefined;
  }
}

function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK);
    return () => clearInterval(timer);
  }, []);
  return now;
}
