import { useCallback, useMemo, useState } from "react";
import { Empty, Failure, Loading, Split } from "../../components/ui";
import { usePersisted } from "../../state/persisted";
import type { Navigate } from "../../state/route";
import { CallPane } from "../calls/CallPane";
import { OUTCOMES } from "../calls/words";
import { type Chosen, Filters, NO_FILTER } from "./Filters";
import { HistoryList } from "./HistoryList";
import classes from "./history.module.css";
import { type Filter, useHistory } from "./useHistory";

/** Every call there ever was, newest first, and the selected one. */
export function HistoryScreen({ item, onNavigate }: { item: string; onNavigate: Navigate }) {
  const [kept, setChosen] = usePersisted<Chosen>("history:filter", NO_FILTER);
  const [scroll, setScroll] = usePersisted("history:scroll", 0);
  const chosen = useMemo(() => ({ ...NO_FILTER, ...kept }), [kept]);
  const [reading, setReading] = useState(false);
  const filter = useMemo<Filter>(
    () => ({ serverId: chosen.serverId, tool: chosen.tool, text: chosen.text.trim(), states: [...(OUTCOMES.find((one) => one.value === chosen.outcome)?.states ?? [])] }),
    [chosen],
  );
  const history = useHistory(filter, reading);
  const select = useCallback((id: string) => onNavigate("history", id), [onNavigate]);
  const narrowed = chosen.serverId !== "" || chosen.tool !== "" || chosen.outcome !== "" || chosen.text.trim() !== "";
  const { rows, error } = history;
  const list =
    rows === undefined ? (
      error === undefined ? (
        <Loading label="Reading the history" />
      ) : (
        <Failure title="The history could not be read" message={`${error.message} ${error.hint}`.trim()} onRetry={history.retry} />
      )
    ) : rows.length > 0 ? (
      <HistoryList history={history} rows={rows} selected={item} onSelect={select} onReading={setReading} scroll={typeof scroll === "number" ? scroll : 0} onScrolled={setScroll} />
    ) : narrowed ? (
      <Empty title="No call fits" action={{ label: "Show all calls", act: () => setChosen(NO_FILTER) }}>
        Nothing in the history has all of what you chose above.
      </Empty>
    ) : (
      <Empty title="No calls yet" action={{ label: "Choose a tool", act: () => onNavigate("tools") }}>
        Every call stands here with its arguments, its result and who decided, also the ones that were denied.
      </Empty>
    );
  return (
    <Split
      wide
      list={
        <>
          <div className={classes["listHead"]}>
            <h2 className={classes["listTitle"]}>History</h2>
            <span className={classes["quiet"]} aria-live="polite">
              {rows === undefined ? "" : history.total === 1 ? "1 call" : `${history.total.toLocaleString("en")} calls`}
            </span>
          </div>
          <Filters chosen={chosen} onChange={setChosen} />
          {list}
        </>
      }
      detail={item === "" ? undefined : <CallPane key={item} id={item} where="history" onBack={() => select("")} onNavigate={onNavigate} />}
      hint={<Empty title="Choose a call">Its arguments, result, decision and every event are shown here.</Empty>}
    />
  );
}
