import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { faultOf } from "../../api/errors";
import type { LaunchView, ServerDetail, Var } from "../../api/types";
import { Seen } from "../../components/jsonview";
import { Section } from "../../components/ui";
import { useBackend } from "../../state/backend";
import classes from "./servers.module.css";

/** All that starting or contacting a server means, in full; to be agreed to where it was not. */
export function Launch({ detail }: { detail: ServerDetail }) {
  const { launch, server } = detail;
  const http = launch.kind === "http";
  if (launch.consented) {
    return (
      <details className={classes["folded"]}>
        <summary>{http ? "What is contacted" : "What is started"}</summary>
        <LaunchParts launch={launch} />
      </details>
    );
  }
  return (
    <Section title={http ? "Before it is contacted" : "Before it is started"}>
      <div className={classes["review"]}>
        <p>
          {http
            ? "Countersign connects to this address only after you agreed. All that is sent with each request:"
            : "This runs a program on your computer with your rights. All of what is started:"}
        </p>
        {launch.changed.length > 0 && <p className={classes["warning"]}>Changed since you agreed last: {launch.changed.join(", ")}.</p>}
        <LaunchParts launch={launch} />
        {launch.warnings.map((warning, at) => (
          <p key={at} className={classes["warning"]}>
            <Seen text={warning} />
          </p>
        ))}
        {launch.error !== "" && (
          <p className={classes["bad"]}>
            <Seen text={launch.error} lines />
          </p>
        )}
        <Agree id={server.id} possible={launch.error === ""} />
      </div>
    </Section>
  );
}

function Agree({ id, possible }: { id: string; possible: boolean }) {
  const backend = useBackend();
  const [busy, setBusy] = useState(false);
  const [words, setWords] = useState("");
  const ask = async () => {
    setBusy(true);
    setWords("");
    try {
      if (!(await backend.servers.consent(id))) setWords("You did not give your consent: it was not started.");
    } catch (thrown) {
      const { message, hint } = faultOf(thrown);
      setWords(`${message} ${hint}`.trim());
    }
    setBusy(false);
  };
  return (
    <div className={classes["row"]}>
      <Button variant="outline" loading={busy} disabled={!possible} onClick={() => void ask()}>
        Review and agree…
      </Button>
      <span role="status" className={classes["quiet"]}>
        {words === "" ? "A dialog of the system asks you once more." : <Seen text={words} />}
      </span>
    </div>
  );
}

function LaunchParts({ launch }: { launch: LaunchView }) {
  const same = launch.resolvedPath === "" || launch.resolvedPath === launch.command;
  return (
    <dl className={classes["launch"]}>
      {launch.kind === "http" ? (
        <>
          <Part name="Address">
            <Seen text={launch.url} />
          </Part>
          <Vars name="Headers" vars={launch.headers} />
          {launch.caFile !== "" && (
            <Part name="Also trusted">
              the certificates in <Seen text={launch.caFile} />
            </Part>
          )}
          {launch.proxy !== "" && <Part name="Proxy">{launch.proxy === "none" ? "none" : <Seen text={launch.proxy} />}</Part>}
          {launch.plainHttp && <Part name="Plain http">allowed beyond this computer</Part>}
        </>
      ) : (
        <>
          <Part name="Program">
            <Seen text={launch.command} />
            {!same && (
              <div className={classes["quiet"]}>
                found at <Seen text={launch.resolvedPath} />
              </div>
            )}
          </Part>
          <Part name="Arguments">
            {launch.args.length === 0 ? (
              <span className={classes["quiet"]}>none</span>
            ) : (
              <ol>
                {launch.args.map((arg, at) => (
                  <li key={at}>{arg === "" ? <span className={classes["quiet"]}>an empty word</span> : <Seen text={arg} lines />}</li>
                ))}
              </ol>
            )}
          </Part>
          <Part name="Working directory">{launch.dir === "" ? <span className={classes["quiet"]}>your home folder</span> : <Seen text={launch.dir} />}</Part>
          <Vars name="Environment" vars={launch.env} />
        </>
      )}
    </dl>
  );
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Vars({ name, vars }: { name: string; vars: readonly Var[] }) {
  return (
    <Part name={name}>
      {vars.length === 0 ? (
        <span className={classes["quiet"]}>nothing added</span>
      ) : (
        vars.map((one, at) => (
          <div key={at}>
            <Seen text={one.name} />={<Seen text={one.value} lines />}
          </div>
        ))
      )}
    </Part>
  );
}
