import { useCallback, useEffect, useRef, useState } from "react";
import { type Fault, faultOf } from "../../api/errors";
import type { CallView, HistoryFilter } from "../../api/types";
import { useBackend } from "../../state/backend";

/** Rows fetched at a time. */
const PAGE = 100;

export type Filter = Omit<HistoryFilter, "before" | "limit">;

interface State {
  /** undefined while the first page is on its way. */
  rows: readonly CallView[] | undefined;
  total: number;
  more: boolean;
  /** Newer rows that are not shown yet, newest first. */
  fresh: readonly CallView[];
  /** There are more new ones than a page holds. */
  gap: boolean;
  error: Fault | undefined;
}

const NOTHING: State = { rows: undefined, total: 0, more: false, fresh: [], gap: false, error: undefined };

export interface History extends State {
  loadMore: () => void;
  showFresh: () => void;
  retry: () => void;
}

/**
 * The calls that a filter chooses, page by page. What changes in the rows shows at once; new rows wait while the person
 * reads, and join the list otherwise.
 */
export function useHistory(filter: Filter, reading: boolean): History {
  const backend = useBackend();
  const [state, setState] = useState<State>(NOTHING);
  const [round, setRound] = useState(0);
  const key = JSON.stringify(filter);
  const now = useRef({ state, reading });
  useEffect(() => {
    now.current = { state, reading };
  });
  const loading = useRef(false);

  useEffect(() => {
    let ended = false;
    let busy = false;
    let again = false;
    const chosen = JSON.parse(key) as Filter;
    const page = (before: number) => backend.calls.history({ ...chosen, before, limit: PAGE });
    setState(NOTHING);
    loading.current = false;
    const look = async (changed: string) => {
      if (busy) {
        again = true;
        return;
      }
      busy = true;
      do {
        again = false;
        try {
          const newest = await page(0);
          if (ended) return;
          setState((before) => merged(before, newest, now.current.reading));
          const old = now.current.state.rows?.find((row) => row.id === changed);
          if (old !== undefined && !newest.calls.some((row) => row.id === changed)) {
            const { call } = await backend.calls.detail(changed);
            if (!ended) setState((before) => ({ ...before, rows: before.rows?.map((row) => (row.id === changed ? call : row)) }));
          }
        } catch (thrown) {
          if (!ended) setState((before) => ({ ...before, error: faultOf(thrown) }));
        }
        // Another call may have set it while this one waited.
      } while (again as boolean);
      busy = false;
    };
    const stop = backend.subscribe((change) => {
      if (change.topic === "calls" || change.topic === "history") void look(change.id);
    });
    void look("");
    return () => {
      ended = true;
      stop();
    };
  }, [backend, key, round]);

  const loadMore = useCallback(() => {
    const { rows, more } = now.current.state;
    const last = rows?.at(-1);
    if (loading.current || !more || last === undefined) return;
    loading.current = true;
    const asked = key;
    backend.calls
      .history({ ...(JSON.parse(asked) as Filter), before: last.ordinal, limit: PAGE })
      .then(
        (page) => setState((before) => (before.rows?.at(-1)?.id === last.id ? { ...before, rows: [...before.rows, ...page.calls], more: page.more, error: undefined } : before)),
        (thrown: unknown) => setState((before) => ({ ...before, error: faultOf(thrown) })),
      )
      .finally(() => {
        loading.current = false;
      });
  }, [backend, key]);
  const showFresh = useCallback(() => {
    if (now.current.state.gap) setRound((n) => n + 1);
    else setState((before) => ({ ...before, rows: [...before.fresh, ...(before.rows ?? [])], fresh: [] }));
  }, []);
  const retry = useCallback(() => setRound((n) => n + 1), []);
  return { ...state, loadMore, showFresh, retry };
}

/** Puts the newest page into what is shown. */
export function merged(before: State, page: { calls: CallView[]; more: boolean; total: number }, reading: boolean): State {
  const { rows } = before;
  if (rows === undefined) return { rows: page.calls, total: page.total, more: page.more, fresh: [], gap: false, error: undefined };
  const byId = new Map(page.calls.map((call) => [call.id, call]));
  const kept = rows.map((row) => byId.get(row.id) ?? row);
  const top = rows[0]?.ordinal ?? 0;
  const fresh = page.calls.filter((call) => call.ordinal > top);
  const gap = rows.length > 0 && fresh.length === page.calls.length && page.more;
  if (!reading && !gap) return { rows: [...fresh, ...kept], total: page.total, more: before.more, fresh: [], gap: false, error: undefined };
  return { ...before, rows: kept, total: page.total, fresh, gap, error: undefined };
}
