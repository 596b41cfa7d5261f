import { useEffect, useEffectEvent, useMemo, useState } from "react";
import type { ListView } from "../../api/types";
import { Empty, Failure, Loading, Split, useRoomForBoth } from "../../components/ui";
import { useBackend } from "../../state/backend";
import { useDesk } from "../../state/desk";
import { useResource } from "../../state/resource";
import { type Navigate, useWhileHere } from "../../state/route";
import { CallPane } from "../calls/CallPane";
import { CardPane } from "./CardPane";
import { ListPane } from "./ListPane";
import { OpenList } from "./ListRows";
import { listItem, listOf } from "./listwords";
import { Queue } from "./Queue";
import { QuestionPane } from "./QuestionPane";
import { useKeys, useTriage } from "../../state/keys";
import { type Entry, entriesOf, useQueue } from "./useQueue";

/** The queue of what waits for the person, and the card that is being read. */
export function ApprovalsScreen({ item, onNavigate }: { item: string; onNavigate: Navigate }) {
  const backend = useBackend();
  const { cards, questions, running } = useDesk();
  const open = useResource("lists", () => backend.lists.list(), ["lists"]);
  const lists = open.data ?? [];
  const both = useRoomForBoth();
  const [held, setHeld] = useState(false);
  const newest = useMemo(() => entriesOf(cards.data ?? [], questions.data ?? []), [cards.data, questions.data]);
  const entries = useQueue(newest, item, held);
  const select = (key: string) => onNavigate("approvals", key);
  const back = () => select("");
  const loaded = cards.data !== undefined && questions.data !== undefined && running.data !== undefined && (open.data !== undefined || open.error !== undefined);

  // What was selected when the window was last here may be long over; then the queue stands for itself. A call that was
  // proposed a moment ago may not be in the lists yet, so the record is asked.
  const follow = useWhileHere(onNavigate);
  const drop = useEffectEvent((key: string) => {
    if (key === item) follow("approvals", "");
  });
  const forget = useEffectEvent(async () => {
    const there = item === "" || lists.some((list) => listItem(list.id) === item) || entries.some((entry) => entry.key === item) || running.data?.some((call) => call.id === item) === true;
    if (there) return;
    const stands = listOf(item) === "" && (await backend.calls.detail(item).then(({ call }) => call.finishedAt === "", () => false));
    if (!stands) drop(item);
  });
  useEffect(() => {
    if (loaded) void forget();
  }, [loaded]);

  const [triage] = useTriage();
  const step = (by: 1 | -1) => {
    const at = entries.findIndex((entry) => entry.key === (item === "" ? entries.find((one) => !one.done)?.key : item));
    const next = by > 0 ? entries.slice(at + 1).find((entry) => !entry.done) : entries.slice(0, Math.max(at, 0)).findLast((entry) => !entry.done);
    if (next !== undefined) select(next.key);
  };
  useKeys(triage, { j: () => step(1), k: () => step(-1) });

  const error = cards.error ?? questions.error;
  if (!loaded) {
    if (error === undefined) return <Loading label="Reading what waits for you" />;
    const retry = () => {
      cards.refresh();
      questions.refresh();
    };
    return <Failure title="What waits for you could not be read" message={`${error.message} ${error.hint}`.trim()} onRetry={retry} />;
  }
  const first = entries.find((entry) => !entry.done);
  const current = entries.find((entry) => entry.key === item) ?? (both && item === "" ? first : undefined);
  if (entries.length === 0 && lists.length === 0 && item === "") {
    return (
      <Empty title="Nothing waits for you" action={{ label: "Choose a tool", act: () => onNavigate("tools") }}>
        Calls that need your approval and questions of servers come here. Propose a call from a tool, or many from a file: <OpenList onSelect={select} />
      </Empty>
    );
  }
  const key = current?.key ?? item;
  const list = lists.find((one) => listItem(one.id) === key);
  return (
    <Split
      list={<Queue entries={entries} lists={lists} listsProblem={open.error?.message ?? ""} selected={key} onSelect={select} onHold={setHeld} />}
      detail={key === "" ? undefined : listOf(key) !== "" ? <ListDetail key={key} list={list} onBack={back} onNavigate={onNavigate} /> : <Pane key={key} id={key} entry={current} onBack={back} onNavigate={onNavigate} />}
      hint={<Empty title="Choose what to answer">What waits for you stands in the list.</Empty>}
    />
  );
}

/** A list that was opened a moment ago may not be among the lists yet. */
function ListDetail({ list, onBack, onNavigate }: { list: ListView | undefined; onBack: () => void; onNavigate: Navigate }) {
  if (list === undefined) return <Loading label="Reading the call list" />;
  return <ListPane list={list} onBack={onBack} onNavigate={onNavigate} />;
}

function Pane({ id, entry, onBack, onNavigate }: { id: string; entry: Entry | undefined; onBack: () => void; onNavigate: Navigate }) {
  if (entry?.card !== undefined) return <CardPane card={entry.card} onBack={onBack} onNavigate={onNavigate} />;
  const question = entry?.questions[0];
  if (question !== undefined) return <QuestionPane key={question.id} question={question} onBack={onBack} />;
  return <CallPane id={id} where="approvals" onBack={onBack} onNavigate={onNavigate} />;
}
