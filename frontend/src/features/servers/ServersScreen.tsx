import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { type KeyboardEvent, useRef } from "react";
import type { ServerView } from "../../api/types";
import { Seen } from "../../components/jsonview";
import { ToolIcon } from "../../components/tool";
import { Empty, Failure, Loading, Split, Tone, useRoomForBoth } from "../../components/ui";
import ui from "../../components/ui/ui.module.css";
import { useBackend } from "../../state/backend";
import { useResource } from "../../state/resource";
import type { Navigate } from "../../state/route";
import { NEW_DRAFT, ServerForm } from "./ServerForm";
import { ServerPane } from "./ServerPane";
import classes from "./servers.module.css";
import { speaks, stateOf, toolCount } from "./words";

/** The item that stands for a server that is being added. */
const NEW = "new";

/** All servers, and the selected one. */
export function ServersScreen({ item, onNavigate }: { item: string; onNavigate: Navigate }) {
  const backend = useBackend();
  const both = useRoomForBoth();
  const list = useResource("servers", () => backend.servers.list(), ["servers", "tools"]);
  const select = (id: string) => onNavigate("servers", id);
  const { data, error } = list;
  if (data === undefined) {
    if (error === undefined) return <Loading label="Reading the servers" />;
    return <Failure title="The servers could not be read" message={`${error.message} ${error.hint}`.trim()} onRetry={list.refresh} />;
  }
  const there = item === NEW || data.some((one) => one.id === item);
  const selected = there ? item : both ? (data[0]?.id ?? "") : "";
  return (
    <Split
      list={<ServerList servers={data} selected={selected} onSelect={select} />}
      detail={
        selected === "" ? undefined : selected === NEW ? (
          <ServerForm initial={NEW_DRAFT} onSaved={select} onCancel={() => select("")} />
        ) : (
          <ServerPane key={selected} id={selected} onBack={() => select("")} onNavigate={onNavigate} />
        )
      }
      hint={
        <Empty title="No server is selected" action={{ label: "Add the first", act: () => select(NEW) }}>
          Servers offer the tools that you call: a program on this computer, or an address.
        </Empty>
      }
    />
  );
}

function ServerList({ servers, selected, onSelect }: { servers: readonly ServerView[]; selected: string; onSelect: (id: string) => void }) {
  const rows = useRef<HTMLUListElement>(null);
  const move = (event: KeyboardEvent, at: number) => {
    const to = event.key === "ArrowDown" ? at + 1 : event.key === "ArrowUp" ? at - 1 : -1;
    const button = rows.current?.querySelectorAll<HTMLElement>("button")[to];
    if (to < 0 || button === undefined) return;
    event.preventDefault();
    button.focus();
  };
  return (
    <>
      <div className={classes["listHead"]}>
        <h2 className={classes["listTitle"]}>Servers</h2>
        <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => onSelect(NEW)}>
          Add server
        </Button>
      </div>
      <ul ref={rows} aria-label="Servers" className={classes["list"]}>
        {servers.map((server, at) => (
          <li key={server.id}>
            <button
              type="button"
              className={ui["listRow"]}
              aria-current={server.id === selected ? "true" : undefined}
              onClick={() => onSelect(server.id)}
              onKeyDown={(event) => move(event, at)}
            >
              <ServerLines server={server} />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function ServerLines({ server }: { server: ServerView }) {
  const { tone, word } = stateOf(server);
  const about = [speaks(server), toolCount(server.toolCount)].filter((part) => part !== "").join(" · ");
  return (
    <>
      <ToolIcon icon={server.icon} name={server.name} hue={server.hue} size={28} />
      <span className={classes["words"]}>
        <span className={classes["line"]}>
          <span className={classes["name"]}>
            <Seen text={server.name} />
          </span>
          <Tone tone={tone} word={word} />
        </span>
        <span className={classes["line"]}>
          <span className={classes["quiet"]}>{about}</span>
        </span>
      </span>
    </>
  );
}
