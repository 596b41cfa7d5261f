import { Button, NumberInput, Select } from "@mantine/core";
import { useState } from "react";
import type { ListView } from "../../api/types";
import { Section } from "../../components/ui";
import { useBackend } from "../../state/backend";
import { useResource } from "../../state/resource";
import { useToasts } from "../../state/toasts";
import { span } from "../../utils/time";
import { visibleText } from "../../utils/visible";
import classes from "./lists.module.css";
import { lineCount } from "./listwords";

const MOST = 32;
/** Deadlines to choose from, in seconds. */
const DEADLINES = [0, 60, 300, 600, 3_600, 14_400, 86_400];

/** How a list is carried out: for a CSV with which tool, how many at once, and how long each waits. */
export function StartList({ list }: { list: ListView }) {
  const backend = useBackend();
  const { fail } = useToasts();
  const [tool, setTool] = useState<string | null>(null);
  const [atOnce, setAtOnce] = useState<number | string>(list.atOnce);
  const [deadline, setDeadline] = useState(String(list.deadlineSeconds));
  const [busy, setBusy] = useState(false);
  const [bad, setBad] = useState("");
  const table = list.format === "csv";
  const usable = list.lines - list.faults;
  const start = async () => {
    if (table && tool === null) return setBad("Choose the tool that the columns are for.");
    if (typeof atOnce !== "number" || !Number.isInteger(atOnce) || atOnce < 1 || atOnce > MOST) return setBad(`From 1 to ${MOST} calls can wait at once.`);
    const [serverId, name] = tool === null ? ["", ""] : (JSON.parse(tool) as [string, string]);
    setBusy(true);
    setBad("");
    try {
      await backend.lists.start(list.id, { serverId, tool: name, atOnce, deadlineSeconds: Number(deadline) });
    } catch (thrown) {
      fail(thrown);
      setBusy(false);
    }
  };
  return (
    <Section title="Start">
      <div className={classes["form"]}>
        {table && <ToolChoice value={tool} onChange={setTool} />}
        <NumberInput label="Calls at once" description="The next line is proposed when one ends." min={1} max={MOST} allowDecimal={false} value={atOnce} onChange={setAtOnce} />
        <Select
          label="Each waits for your answer"
          description="Then it expires, which is not a no."
          allowDeselect={false}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          data={DEADLINES.map((one) => ({ value: String(one), label: one === 0 ? "As long as it takes" : span(one) }))}
          value={deadline}
          onChange={(next) => next !== null && setDeadline(next)}
        />
        <p className={classes["bad"]} role="status">
          {bad}
        </p>
        <div>
          <Button disabled={busy || usable === 0} onClick={() => void start()}>
            Propose {lineCount(usable)}
          </Button>
        </div>
      </div>
    </Section>
  );
}

function ToolChoice({ value, onChange }: { value: string | null; onChange: (value: string | null) => void }) {
  const backend = useBackend();
  const groups = useResource("tools", () => backend.tools.list(), ["tools", "servers"]);
  const data = (groups.data ?? []).map(({ server, tools }) => ({
    group: visibleText(server.name),
    items: tools.filter((one) => one.hidden === "").map((one) => ({ value: JSON.stringify([server.id, one.name]), label: visibleText(one.title === "" ? one.name : one.title) })),
  }));
  return (
    <Select
      label="Tool"
      description="Its definition says what the cells of a column become."
      placeholder="Choose a tool"
      searchable
      error={groups.error?.message}
      comboboxProps={{ transitionProps: { duration: 0 } }}
      nothingFoundMessage="No server lists such a tool"
      data={data}
      value={value}
      onChange={onChange}
    />
  );
}
