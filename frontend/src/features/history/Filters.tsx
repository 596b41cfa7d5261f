import { Select, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useMemo, useState } from "react";
import { useBackend } from "../../state/backend";
import { useResource } from "../../state/resource";
import { visibleText } from "../../utils/visible";
import { OUTCOMES } from "../calls/words";
import classes from "./history.module.css";

export interface Chosen {
  serverId: string;
  tool: string;
  /** A value of OUTCOMES. */
  outcome: string;
  text: string;
}

export const NO_FILTER: Chosen = { serverId: "", tool: "", outcome: "", text: "" };

/** How long typing rests before it searches, in milliseconds. */
const REST = 250;

/** What narrows the history. */
export function Filters({ chosen, onChange }: { chosen: Chosen; onChange: (next: Chosen) => void }) {
  const backend = useBackend();
  const groups = useResource("history tools", () => backend.tools.list(), ["tools", "servers"]);
  const [text, setText] = useState(chosen.text);
  const [last, setLast] = useState(chosen.text);
  if (chosen.text !== last) {
    setLast(chosen.text);
    setText(chosen.text);
  }
  useEffect(() => {
    if (text === chosen.text) return undefined;
    const timer = setTimeout(() => onChange({ ...chosen, text }), REST);
    return () => clearTimeout(timer);
  }, [text, chosen, onChange]);
  const servers = useMemo(() => (groups.data ?? []).map(({ server }) => ({ value: server.id, label: visibleText(server.name) })), [groups.data]);
  const tools = useMemo(() => {
    const names = new Map<string, string>();
    for (const group of groups.data ?? []) {
      if (chosen.serverId !== "" && group.server.id !== chosen.serverId) continue;
      for (const tool of group.tools) names.set(tool.name, visibleText(tool.title === "" ? tool.name : tool.title));
    }
    // A tool that is listed no more can still be looked for.
    if (chosen.tool !== "" && !names.has(chosen.tool)) names.set(chosen.tool, visibleText(chosen.tool));
    return [...names].map(([value, label]) => ({ value, label }));
  }, [groups.data, chosen.serverId, chosen.tool]);
  const common = { size: "xs", clearable: true, comboboxProps: { transitionProps: { duration: 0 } }, nothingFoundMessage: "None" } as const;
  return (
    <search className={classes["filters"]}>
      <TextInput
        className={classes["search"]}
        size="xs"
        type="search"
        aria-label="Search calls"
        placeholder="Search in names, arguments and results"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Escape" && setText("")}
      />
      <Select {...common} aria-label="Server" placeholder="Server" data={servers} value={orNull(chosen.serverId)} clearButtonProps={{ "aria-label": "Any server" }} onChange={(next) => onChange({ ...chosen, serverId: next ?? "", tool: "" })} />
      <Select {...common} aria-label="Tool" placeholder="Tool" searchable data={tools} value={orNull(chosen.tool)} clearButtonProps={{ "aria-label": "Any tool" }} onChange={(next) => onChange({ ...chosen, tool: next ?? "" })} />
      <Select
        {...common}
        aria-label="Outcome"
        placeholder="Outcome"
        data={OUTCOMES.map(({ value, label }) => ({ value, label }))}
        value={orNull(chosen.outcome)}
        clearButtonProps={{ "aria-label": "Any outcome" }}
        onChange={(next) => onChange({ ...chosen, outcome: next ?? "" })}
      />
    </search>
  );
}

function orNull(text: string): string | null {
  return text === "" ? null : text;
}
