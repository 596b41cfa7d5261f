import { type KeyboardEvent, useRef } from "react";
import type { RuleView } from "../../api/types";
import { Seen } from "../../components/jsonview";
import { Empty, Failure, Loading, Split, Tone, useRoomForBoth } from "../../components/ui";
import ui from "../../components/ui/ui.module.css";
import { useBackend } from "../../state/backend";
import { useResource } from "../../state/resource";
import { callOf, type Navigate } from "../../state/route";
import { EditRule, NewRule } from "./RuleEditor";
import { RulePane } from "./RulePane";
import classes from "./rules.module.css";
import { aboutOf, lifeOf, standing } from "./words";

/** Every answer that was remembered, and the selected one. */
export function RulesScreen({ item, onNavigate }: { item: string; onNavigate: Navigate }) {
  const backend = useBackend();
  const both = useRoomForBoth();
  const list = useResource("rules", () => backend.rules.list(), ["rules", "tools", "servers"], (change) => change.id !== "replay");
  const select = (id: string) => onNavigate("rules", id);
  const { data, error } = list;
  if (data === undefined) {
    if (error === undefined) return <Loading label="Reading the rules" />;
    return <Failure title="The rules could not be read" message={`${error.message} ${error.hint}`.trim()} onRetry={list.refresh} />;
  }
  const call = callOf(item);
  const editing = item.startsWith("edit ");
  const id = editing ? item.slice(5) : item;
  const selected = data.find((one) => one.id === id) ?? (both && call === "" ? data[0] : undefined);
  if (data.length === 0 && call === "") {
    return (
      <Empty title="Nothing is remembered" action={{ label: "Go to approvals", act: () => onNavigate("approvals") }}>
        Every call asks. A rule is made from a call that waits, and answers calls like it from then on.
      </Empty>
    );
  }
  return (
    <Split
      list={<RuleList rules={data} selected={call === "" ? (selected?.id ?? "") : ""} onSelect={select} />}
      detail={
        call !== "" ? (
          <NewRule key={call} callId={call} onDone={(made) => (made === "" ? onNavigate("approvals", call) : select(made))} />
        ) : selected === undefined ? undefined : editing ? (
          <EditRule key={selected.id} rule={selected} onDone={() => select(selected.id)} />
        ) : (
          <RulePane key={selected.id} rule={selected} onBack={() => select("")} onEdit={() => select(`edit ${selected.id}`)} onNavigate={onNavigate} />
        )
      }
      hint={<Empty title="Choose a rule">What it says, what it did, and the way to pause or revoke it.</Empty>}
    />
  );
}

function RuleList({ rules, selected, onSelect }: { rules: readonly RuleView[]; selected: string; onSelect: (id: string) => void }) {
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
        <h2 className={classes["listTitle"]}>Rules</h2>
        <span className={classes["quiet"]}>{rules.length}</span>
      </div>
      <ul ref={rows} aria-label="Rules" className={classes["list"]}>
        {rules.map((rule, at) => {
          const { tone, word } = standing(rule);
          return (
            <li key={rule.id}>
              <button type="button" className={ui["listRow"]} aria-current={rule.id === selected ? "true" : undefined} onClick={() => onSelect(rule.id)} onKeyDown={(event) => move(event, at)}>
                <span className={classes["words"]}>
                  <span className={classes["line"]}>
                    <span className={classes["name"]}>
                      <Seen text={rule.name} />
                    </span>
                    <Tone tone={tone} word={word} />
                  </span>
                  <span className={classes["quiet"]}>
                    <Seen text={`${aboutOf(rule)}, ${lifeOf(rule)}`} />
                  </span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}
