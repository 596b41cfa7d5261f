import { Button, NumberInput, SegmentedControl, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { faultOf } from "../../api/errors";
import type { ServerDraft } from "../../api/types";
import { Seen } from "../../components/jsonview";
import { useBackend } from "../../state/backend";
import type { ProblemAt } from "./fields";
import classes from "./servers.module.css";

/** What most servers are left without. */
export const NO_EXTRAS = { caFile: "", proxy: "", plainHttp: false, timeoutSeconds: 0, maxSeconds: 0, maxResultMiB: 0 };

interface PartProps {
  draft: ServerDraft;
  change: (part: Partial<ServerDraft>) => void;
  problemAt: ProblemAt;
}

/** How an address is reached. */
export function Connection({ draft, change, problemAt }: PartProps) {
  return (
    <fieldset aria-label="Connection" className={classes["group"]}>
      <Authorities draft={draft} change={change} problemAt={problemAt} />
      <Proxy draft={draft} change={change} problemAt={problemAt} />
      <Switch
        label="Allow plain http beyond this computer"
        checked={draft.plainHttp}
        onChange={(event) => change({ plainHttp: event.currentTarget.checked })}
      />
      {draft.plainHttp && <p className={classes["warning"]}>Everyone on the way can read and change what you send and receive, results included. Use it only in a network that you trust.</p>}
    </fieldset>
  );
}

function Authorities({ draft, change, problemAt }: PartProps) {
  const backend = useBackend();
  const [failure, setFailure] = useState("");
  const choose = async () => {
    setFailure("");
    try {
      const path = await backend.servers.chooseCA();
      if (path !== "") change({ caFile: path });
    } catch (thrown) {
      const { message, hint } = faultOf(thrown);
      setFailure(`${message} ${hint}`.trim());
    }
  };
  const problem = failure === "" ? problemAt("caFile") : failure;
  return (
    <div role="group" aria-label="Certificate file">
      <div className={classes["label"]}>Certificate file</div>
      <div className={classes["row"]}>
        <span className={draft.caFile === "" ? classes["quiet"] : classes["path"]}>{draft.caFile === "" ? "The system's authorities alone" : <Seen text={draft.caFile} />}</span>
        <Button variant="default" size="xs" onClick={() => void choose()}>
          Choose…
        </Button>
        {draft.caFile !== "" && (
          <Button variant="default" size="xs" onClick={() => change({ caFile: "" })}>
            Use none
          </Button>
        )}
      </div>
      {problem !== undefined && (
        <p className={classes["bad"]}>
          <Seen text={problem} />
        </p>
      )}
      <p className={classes["help"]}>A PEM file of authorities that are trusted for this server besides the system's.</p>
    </div>
  );
}

function Proxy({ draft, change, problemAt }: PartProps) {
  const kind = draft.proxy === "" ? "system" : draft.proxy === "none" ? "none" : "address";
  return (
    <div>
      <div className={classes["label"]} id="server-proxy">
        Proxy
      </div>
      <SegmentedControl
        aria-labelledby="server-proxy"
        value={kind}
        transitionDuration={0}
        onChange={(next) => change({ proxy: next === "system" ? "" : next === "none" ? "none" : "http://" })}
        data={[
          { value: "system", label: "As the system says" },
          { value: "none", label: "None" },
          { value: "address", label: "Another" },
        ]}
      />
      {kind === "address" && (
        <TextInput
          aria-label="Proxy's address"
          mt="xs"
          placeholder="http://host:port"
          value={draft.proxy}
          error={problemAt("proxy")}
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: classes["mono"] ?? "" }}
          onChange={(event) => change({ proxy: event.currentTarget.value === "" ? "http://" : event.currentTarget.value })}
        />
      )}
    </div>
  );
}

const LIMITS = [
  { field: "timeoutSeconds", label: "Time limit of a call", description: "Seconds without progress (0: 60)" },
  { field: "maxSeconds", label: "Longest time of a call", description: "Seconds in all (0: 1800)" },
  { field: "maxResultMiB", label: "Largest result", description: "MiB (0: 256)" },
] as const;

/** Where a call is given up. */
export function Limits({ draft, change, problemAt }: PartProps) {
  return LIMITS.map(({ field, label, description }) => (
    <NumberInput
      key={field}
      className={classes["short"]}
      label={label}
      description={description}
      min={0}
      allowDecimal={false}
      allowNegative={false}
      hideControls
      value={draft[field]}
      error={problemAt(field)}
      onChange={(next) => change({ [field]: typeof next === "number" ? next : 0 })}
    />
  ));
}
