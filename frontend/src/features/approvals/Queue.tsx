import { type KeyboardEvent, useRef } from "react";
import { Seen } from "../../components/jsonview";
import { ToolIcon } from "../../components/tool";
import type { ListView } from "../../api/types";
import { Tone, useNow, When } from "../../components/ui";
import ui from "../../components/ui/ui.module.css";
import { useDesk } from "../../state/desk";
import { stateWords } from "../calls/words";
import classes from "./approvals.module.css";
import { ListRows, OpenList } from "./ListRows";
import type { Entry } from "./useQueue";

export interface QueueProps {
  entries: readonly Entry[];
  lists: readonly ListView[];
  /** Why the call lists could not be read, or "". */
  listsProblem: string;
  selected: string;
  onSelect: (key: string) => void;
  /** Whether the pointer is over the queue. */
  onHold: (held: boolean) => void;
}

/** Everything that waits for the person, in the order in which it came. Up and Down move. */
export function Queue({ entries, lists, listsProblem, selected, onSelect, onHold }: QueueProps) {
  const now = useNow();
  const list = useRef<HTMLUListElement>(null);
  const waiting = entries.filter((entry) => !entry.done).length;
  const move = (event: KeyboardEvent, at: number) => {
    const to = event.key === "ArrowDown" ? at + 1 : event.key === "ArrowUp" ? at - 1 : -1;
    const button = list.current?.querySelectorAll<HTMLElement>("button")[to];
    if (to < 0 || button === undefined) return;
    event.preventDefault();
    button.focus();
  };
  return (
    <>
      <div className={classes["queueHead"]}>
        <h2 className={classes["queueTitle"]}>Waiting for you</h2>
        <span className={classes["quiet"]}>{waiting}</span>
        <span className={classes["queueAct"]}>
          <OpenList onSelect={onSelect} />
        </span>
      </div>
      {listsProblem !== "" && (
        <p className={classes["listsProblem"]} role="status">
          The call lists could not be read: <Seen text={listsProblem} />
        </p>
      )}
      <ListRows lists={lists} selected={selected} onSelect={onSelect} />
      <ul ref={list} aria-label="Waiting for you" className={classes["queue"]} onPointerEnter={() => onHold(true)} onPointerLeave={() => onHold(false)}>
        {entries.map((entry, at) => (
          <li key={entry.key}>
            <button
              type="button"
              className={ui["listRow"]}
              aria-current={entry.key === selected ? "true" : undefined}
              onClick={() => onSelect(entry.key)}
              onKeyDown={(event) => move(event, at)}
            >
              <ToolIcon icon={entry.icon} name={entry.title} hue={entry.hue} size={28} />
              <span className={classes["entryWords"]}>
                <span className={classes["line"]}>
                  <span className={classes["entryTitle"]}>
                    <Seen text={entry.title} />
                  </span>
                  <EntryState entry={entry} />
                </span>
                <span className={classes["line"]}>
                  <span className={classes["quiet"]}>
                    <Seen text={entry.server} />
                  </span>
                  <span className={classes["quiet"]}>
                    <When at={entry.created} now={now} />
                  </span>
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function EntryState({ entry }: { entry: Entry }) {
  const { running } = useDesk();
  if (entry.questions.length > 0) return <Tone tone="need" word={entry.questions.length === 1 ? "Asks you" : `${entry.questions.length} questions`} />;
  if (!entry.done) return null;
  const call = running.data?.find((one) => one.id === entry.key);
  if (call === undefined) return <Tone tone="quiet" word="Done" />;
  const { tone, word } = stateWords(call.state);
  return <Tone tone={tone} word={word} />;
}
