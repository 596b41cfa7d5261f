import { Button, SegmentedControl, Switch, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { faultOf } from "../../api/errors";
import type { Problem, ServerDraft } from "../../api/types";
import { Seen } from "../../components/jsonview";
import { BackButton } from "../../components/ui";
import ui from "../../components/ui/ui.module.css";
import { useBackend } from "../../state/backend";
import { useToasts } from "../../state/toasts";
import { Connection, Limits, NO_EXTRAS } from "./connection";
import { ArgumentList, type ProblemAt, VarRows } from "./fields";
import classes from "./servers.module.css";

/** How long typing rests before the draft is checked, in milliseconds. */
const REST = 400;

export const NEW_DRAFT: ServerDraft = { id: "", name: "", kind: "stdio", command: "", args: [], env: [], dir: "", url: "", headers: [], enabled: true, ...NO_EXTRAS };

interface Work {
  draft: ServerDraft;
  /** Values to be stored once the server is saved. */
  secrets: Map<string, string>;
}

// Unfinished settings outlive a look at another screen, but are not kept on disk: a key may have been pasted into them.
const works = new Map<string, Work>();

export interface ServerFormProps {
  initial: ServerDraft;
  onSaved: (id: string) => void;
  onCancel: () => void;
}

/** The settings of a server, new or not. */
export function ServerForm({ initial, onSaved, onCancel }: ServerFormProps) {
  const backend = useBackend();
  const { fail, show } = useToasts();
  const [work, setWork] = useState<Work>(() => works.get(initial.id) ?? { draft: initial, secrets: new Map() });
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [tried, setTried] = useState(false);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const { draft } = work;

  useEffect(() => {
    let ended = false;
    // A check that could not be made is no problem of the draft: saving checks again.
    const timer = setTimeout(() => void backend.servers.check(draft).then((found) => !ended && setProblems(found), () => undefined), REST);
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [backend, draft]);

  const change = (part: Partial<ServerDraft>) => {
    const next = { ...work, draft: { ...draft, ...part } };
    works.set(initial.id, next);
    setWork(next);
    setTouched((now) => new Set([...now, ...Object.keys(part)]));
    setFailure("");
  };
  const keepSecret = (name: string, value: string) => {
    if (value === "") return;
    work.secrets.set(name, value);
  };
  const seen = (problem: Problem) => tried || touched.has(problem.field.split(".")[0] ?? "");
  const problemAt: ProblemAt = (field) => problems.find((one) => one.field === field && !one.warning && seen(one))?.message;
  const save = async () => {
    setTried(true);
    setBusy(true);
    setFailure("");
    try {
      const saved = await backend.servers.save(draft);
      setProblems(saved.problems);
      if (saved.id === "") {
        setFailure("It was not saved: look at the fields that say why.");
      } else {
        works.delete(initial.id);
        await storeSecrets(saved.id);
        onSaved(saved.id);
      }
    } catch (thrown) {
      const { message, hint } = faultOf(thrown);
      setFailure(`${message} ${hint}`.trim());
    }
    setBusy(false);
  };
  const storeSecrets = async (id: string) => {
    for (const [name, value] of work.secrets) {
      try {
        const found = await backend.servers.setSecret(id, name, value);
        for (const one of found) show({ text: `${name}: ${one.message}`, bad: !one.warning });
      } catch (thrown) {
        fail(thrown);
      }
    }
    work.secrets.clear();
  };
  const discard = () => {
    works.delete(initial.id);
    onCancel();
  };
  const loose = problems.filter((one) => seen(one) && (one.warning || !FIELDS.test(one.field)));
  return (
    <div className={ui["pane"]}>
      <div className={ui["scroll"]}>
        <div className={classes["formHead"]}>
          <BackButton onBack={discard} />
          <h2 className={classes["title"]}>{initial.id === "" ? "New server" : "Edit the server"}</h2>
        </div>
        <div className={classes["form"]}>
          <TextInput label="Name" required value={draft.name} error={problemAt("name")} autoComplete="off" maxLength={100} onChange={(event) => change({ name: event.currentTarget.value })} />
          <div>
            <div className={classes["label"]} id="server-kind">
              How it is reached
            </div>
            <SegmentedControl
              aria-labelledby="server-kind"
              value={draft.kind}
              transitionDuration={0}
              onChange={(kind) => change({ kind: kind === "http" ? "http" : "stdio" })}
              data={[
                { value: "stdio", label: "Program here" },
                { value: "http", label: "HTTP address" },
              ]}
            />
          </div>
          {draft.kind === "http" ? (
            <HttpFields draft={draft} change={change} problemAt={problemAt} onSecret={keepSecret} />
          ) : (
            <StdioFields draft={draft} change={change} problemAt={problemAt} onSecret={keepSecret} />
          )}
          <Limits draft={draft} change={change} problemAt={problemAt} />
          <Switch label="Start it with Countersign" checked={draft.enabled} onChange={(event) => change({ enabled: event.currentTarget.checked })} />
          {loose.map((one, at) => (
            <p key={at} className={one.warning ? classes["warning"] : classes["bad"]}>
              <Seen text={one.message} />
            </p>
          ))}
        </div>
      </div>
      <footer className={classes["actions"]}>
        <Button loading={busy} onClick={() => void save()}>
          Save
        </Button>
        <Button variant="default" onClick={discard}>
          Discard
        </Button>
        <span role="status" className={failure === "" ? classes["quiet"] : classes["bad"]}>
          {failure === "" ? "It is started only after you agreed to how." : <Seen text={failure} />}
        </span>
      </footer>
    </div>
  );
}

/** Fields that show their own problems. */
const FIELDS = /^(name|command|dir|url|caFile|proxy|timeoutSeconds|maxSeconds|maxResultMiB|args\.\d+|(env|headers)\.\d+(\.(name|value))?)$/;

interface PartProps {
  draft: ServerDraft;
  change: (part: Partial<ServerDraft>) => void;
  problemAt: ProblemAt;
  onSecret: (name: string, value: string) => void;
}

function StdioFields({ draft, change, problemAt, onSecret }: PartProps) {
  const mono = { input: classes["mono"] ?? "" };
  return (
    <>
      <TextInput
        label="Command"
        required
        description="A program's name or its full path."
        value={draft.command}
        error={problemAt("command")}
        autoComplete="off"
        spellCheck={false}
        classNames={mono}
        onChange={(event) => change({ command: event.currentTarget.value })}
      />
      <ArgumentList values={draft.args} onChange={(args) => change({ args })} problemAt={problemAt} onSecret={onSecret} />
      <VarRows
        title="Environment"
        one="variable"
        field="env"
        help="It gets these and a short list of its own: HOME, PATH, LANG, USER, SHELL, TMPDIR and XDG_*."
        values={draft.env}
        onChange={(env) => change({ env })}
        problemAt={problemAt}
        onSecret={onSecret}
      />
      <TextInput
        label="Working directory"
        description="Empty is your home folder."
        value={draft.dir}
        error={problemAt("dir")}
        autoComplete="off"
        spellCheck={false}
        classNames={mono}
        onChange={(event) => change({ dir: event.currentTarget.value })}
      />
    </>
  );
}

function HttpFields({ draft, change, problemAt, onSecret }: PartProps) {
  return (
    <>
      <TextInput
        label="Address"
        required
        placeholder="https://"
        value={draft.url}
        error={problemAt("url")}
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: classes["mono"] ?? "" }}
        onChange={(event) => change({ url: event.currentTarget.value })}
      />
      <VarRows
        title="Headers"
        one="header"
        field="headers"
        help="Sent with every request. Secrets are never sent over plain http beyond this computer."
        values={draft.headers}
        onChange={(headers) => change({ headers })}
        problemAt={problemAt}
        onSecret={onSecret}
      />
      <Connection draft={draft} change={change} problemAt={problemAt} />
    </>
  );
}
