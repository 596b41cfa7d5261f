import { Button } from "@mantine/core";
import { useState } from "react";
import type { ListView } from "../../api/types";
import { Seen } from "../../components/jsonview";
import { BackButton, Section, Tone } from "../../components/ui";
import ui from "../../components/ui/ui.module.css";
import { useBackend } from "../../state/backend";
import type { Navigate } from "../../state/route";
import { useToasts } from "../../state/toasts";
import { span } from "../../utils/time";
import { visibleText } from "../../utils/visible";
import { LineTable } from "./LineTable";
import classes from "./lists.module.css";
import { countOf, lineCount, lineWords, listSummary } from "./listwords";
import { StartList } from "./StartList";

/** One call list: what it holds, how it is started, and what became of its lines. */
export function ListPane({ list, onBack, onNavigate }: { list: ListView; onBack: () => void; onNavigate: Navigate }) {
  return (
    <div className={ui["pane"]}>
      <div className={ui["scroll"]} tabIndex={0} role="region" aria-label="The call list">
        <header className={classes["head"]}>
          <div className={classes["headRow"]}>
            <BackButton onBack={onBack} />
            <div className={classes["titles"]}>
              <h2 className={classes["title"]}>
                <Seen text={list.name} />
              </h2>
              <p className={classes["quiet"]}>
                {list.format === "csv" ? "CSV" : "JSON Lines"}. {listSummary(list)}.
              </p>
            </div>
            <Acts list={list} onClosed={onBack} />
          </div>
          {list.started ? <Progress list={list} /> : <Preview list={list} />}
        </header>
        {!list.started && <StartList list={list} />}
        <Section title="Lines">
          <LineTable list={list} onNavigate={onNavigate} />
        </Section>
      </div>
    </div>
  );
}

function Preview({ list }: { list: ListView }) {
  return (
    <>
      <p>Each line is proposed as a call and waits for your approval. Nothing has been proposed yet.</p>
      {list.columns.length > 0 && (
        <p className={classes["quiet"]}>
          Arguments: <Seen text={list.columns.join(", ")} />
        </p>
      )}
      {list.faults > 0 && (
        <p className={classes["bad"]} role="status">
          {lineCount(list.faults)} cannot be used and will be left out: see the reasons below.
        </p>
      )}
    </>
  );
}

function Progress({ list }: { list: ListView }) {
  const backend = useBackend();
  const { fail } = useToasts();
  const { id, serverId, tool, atOnce, deadlineSeconds } = list;
  return (
    <>
      <ul aria-label="Lines by state" className={classes["counts"]}>
        {list.counts.map(({ state, count }) => {
          const { tone, word } = lineWords(state);
          return (
            <li key={state}>
              <b>{count.toLocaleString("en")}</b> <Tone tone={tone} word={word} />
            </li>
          );
        })}
      </ul>
      <p className={classes["quiet"]}>
        At most {atOnce} at once. {deadlineSeconds === 0 ? "Each waits as long as it takes." : `Each waits ${span(deadlineSeconds)}.`}
      </p>
      {list.problem !== "" && (
        <p className={classes["bad"]} role="status">
          No more lines are proposed: <Seen text={list.problem} />{" "}
          <Button variant="default" size="compact-xs" onClick={() => void backend.lists.start(id, { serverId, tool, atOnce, deadlineSeconds }).catch(fail)}>
            Go on
          </Button>
        </p>
      )}
    </>
  );
}

function Acts({ list, onClosed }: { list: ListView; onClosed: () => void }) {
  const backend = useBackend();
  const { fail, show } = useToasts();
  const [asking, setAsking] = useState(false);
  const waiting = countOf(list, (state) => state === "awaiting_approval" || state === "proposed");
  const ready = list.started ? countOf(list, (state) => state === "ready") : 0;
  const close = async () => {
    try {
      await backend.lists.close(list.id);
      onClosed();
    } catch (thrown) {
      fail(thrown);
    }
  };
  const save = async () => {
    try {
      if (await backend.lists.report(list.id)) show({ text: "The report was saved." });
    } catch (thrown) {
      fail(thrown);
    }
  };
  if (asking) {
    return (
      <div className={classes["ask"]} role="group" aria-label={`Close ${visibleText(list.name)}?`}>
        <span>
          Close it? {waiting} waiting {waiting === 1 ? "call is" : "calls are"} withdrawn, and {lineCount(ready)} {ready === 1 ? "is" : "are"} not proposed. What runs goes on.
        </span>
        <Button variant="default" size="xs" onClick={() => setAsking(false)}>
          Keep it
        </Button>
        <Button variant="default" size="xs" onClick={() => void close()}>
          Close and withdraw
        </Button>
      </div>
    );
  }
  return (
    <div className={classes["acts"]}>
      {list.started && (
        <Button variant="default" size="xs" onClick={() => void save()}>
          Save report…
        </Button>
      )}
      <Button variant="default" size="xs" onClick={() => (waiting + ready > 0 ? setAsking(true) : void close())}>
        Close list
      </Button>
    </div>
  );
}
