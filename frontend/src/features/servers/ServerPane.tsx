import { Button } from "@mantine/core";
import { useState } from "react";
import type { ServerDetail } from "../../api/types";
import { Seen } from "../../components/jsonview";
import { ToolIcon } from "../../components/tool";
import { BackButton, Failure, Loading, Section, Tone, useNow, When } from "../../components/ui";
import ui from "../../components/ui/ui.module.css";
import { useBackend } from "../../state/backend";
import { useResource } from "../../state/resource";
import { type Navigate, useWhileHere } from "../../state/route";
import { useToasts } from "../../state/toasts";
import { visibleText } from "../../utils/visible";
import { Launch } from "./Launch";
import { Log } from "./Log";
import { Roots } from "./Roots";
import { Secrets } from "./Secrets";
import { ServerForm } from "./ServerForm";
import classes from "./servers.module.css";
import { kindWords, reasonOf, speaks, stateOf, toolCount } from "./words";

/** Everything about one server. */
export function ServerPane({ id, onBack, onNavigate }: { id: string; onBack: () => void; onNavigate: Navigate }) {
  const backend = useBackend();
  const [editing, setEditing] = useState(false);
  const detail = useResource(`server ${id}`, () => backend.servers.get(id), ["servers", "tools"], (change) => change.id === "" || change.id === id);
  const { data, error } = detail;
  if (data === undefined) {
    if (error === undefined) return <Loading label="Reading the server" />;
    return <Failure title="This server could not be read" message={`${error.message} ${error.hint}`.trim()} onRetry={detail.refresh} />;
  }
  if (editing) {
    const done = () => {
      setEditing(false);
      detail.refresh();
    };
    return <ServerForm initial={data.draft} onSaved={done} onCancel={() => setEditing(false)} />;
  }
  return (
    <div className={ui["pane"]}>
      <div className={ui["scroll"]} tabIndex={0} role="region" aria-label="The server">
        <Head detail={data} onBack={onBack} onEdit={() => setEditing(true)} onNavigate={onNavigate} />
        <Launch detail={data} />
        <About detail={data} />
        <Roots serverId={id} roots={data.roots} />
        {data.secrets.length > 0 && <Secrets serverId={id} secrets={data.secrets} />}
        <Log id={id} />
      </div>
    </div>
  );
}

interface HeadProps {
  detail: ServerDetail;
  onBack: () => void;
  onEdit: () => void;
  onNavigate: Navigate;
}

function Head({ detail, onBack, onEdit, onNavigate }: HeadProps) {
  const backend = useBackend();
  const { fail, show } = useToasts();
  const now = useNow(5_000);
  const [busy, setBusy] = useState("");
  const { server } = detail;
  const { tone, word } = stateOf(server);
  const builtin = server.kind === "builtin";
  const follow = useWhileHere(onNavigate);
  const act = async (what: string, go: () => Promise<void>) => {
    setBusy(what);
    try {
      await go();
    } catch (thrown) {
      fail(thrown);
    }
    setBusy("");
  };
  const remove = () =>
    act("remove", async () => {
      await backend.servers.remove(server.id);
      const undo = () => {
        backend.servers.undoRemove(server.id).then(() => onNavigate("servers", server.id), fail);
      };
      show({ text: `${visibleText(server.name)} was removed. Its history stays.`, undo: { label: "Undo", act: undo } });
      follow("servers", "");
    });
  const on = server.state === "running" || server.state === "starting";
  // What has not been agreed to is started by agreeing.
  const startable = !on && server.state !== "stopping" && detail.launch.consented;
  const wait = server.nextTry === "" ? 0 : Math.ceil((Date.parse(server.nextTry) - now.getTime()) / 1000);
  return (
    <header className={classes["head"]}>
      <div className={classes["formHead"]}>
        <BackButton onBack={onBack} />
        <ToolIcon icon={server.icon} name={server.name} hue={server.hue} size={36} />
        <div className={classes["words"]}>
          <h2 className={classes["title"]}>
            <Seen text={server.name} />
          </h2>
          <div className={classes["row"]} role="status">
            <Tone tone={tone} word={word} />
            <span className={classes["quiet"]}>
              {kindWords(server.kind)}
              {server.since !== "" && (
                <>
                  , since <When at={server.since} now={now} />
                </>
              )}
            </span>
          </div>
        </div>
      </div>
      {reasonOf(server) !== "" && (
        <p className={server.needsConsent ? classes["warning"] : server.state === "attention" ? classes["bad"] : classes["quiet"]}>
          <Seen text={reasonOf(server)} lines />
        </p>
      )}
      {wait > 0 && <p className={classes["quiet"]}>It is tried again in {wait} s.</p>}
      <div className={classes["row"]}>
        {startable && (
          <Button size="xs" variant="default" loading={busy === "start"} onClick={() => void act("start", () => backend.servers.start(server.id))}>
            Start
          </Button>
        )}
        {(on || (server.state === "attention" && server.enabled)) && (
          <Button size="xs" variant="default" loading={busy === "stop"} onClick={() => void act("stop", () => backend.servers.stop(server.id))}>
            {on ? "Stop" : "Switch off"}
          </Button>
        )}
        {server.toolCount > 0 && (
          <Button size="xs" variant="default" onClick={() => onNavigate("tools")}>
            Show its tools
          </Button>
        )}
        {!builtin && (
          <>
            <Button size="xs" variant="default" onClick={onEdit}>
              Edit
            </Button>
            <Button size="xs" variant="outline" color="red" classNames={{ root: classes["remove"] ?? "" }} loading={busy === "remove"} onClick={() => void remove()}>
              Remove
            </Button>
          </>
        )}
      </div>
      {detail.problems.map((problem, at) => (
        <p key={at} className={problem.warning ? classes["warning"] : classes["bad"]}>
          <Seen text={problem.message} />
        </p>
      ))}
    </header>
  );
}

function About({ detail }: { detail: ServerDetail }) {
  const { server, instructions } = detail;
  const rows: [string, string][] = [
    ["Speaks", speaks(server) === "" ? "not known yet" : speaks(server)],
    ["Software", server.serverName === "" ? "not known yet" : `${server.serverName} ${server.serverVersion}`.trim()],
    ["Tools", toolCount(server.toolCount)],
  ];
  if (server.pid > 0) rows.push(["Process", String(server.pid)]);
  return (
    <Section title="About">
      <dl className={classes["facts"]}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Seen text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {instructions !== "" && (
        <div className={classes["said"]}>
          <span className={classes["quiet"]}>Server says: </span>
          <Seen text={instructions} lines />
        </div>
      )}
      {server.fallbacks.length > 0 && (
        <details className={classes["folded"]}>
          <summary>How it was reached</summary>
          <ol>
            {server.fallbacks.map((one, at) => (
              <li key={at}>
                <Seen text={one} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </Section>
  );
}
