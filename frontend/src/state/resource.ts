import { useCallback, useEffect, useRef, useState } from "react";
import { type Fault, faultOf } from "../api/errors";
import type { Change, Topic } from "../api/types";
import { useBackend } from "./backend";

/** Something fetched: the newest data, and how the newest try went. A failed try keeps the former data. */
export interface Resource<T> {
  data: T | undefined;
  loading: boolean;
  error: Fault | undefined;
  refresh: () => void;
}

interface State<T> {
  data: T | undefined;
  loading: boolean;
  error: Fault | undefined;
}

const EMPTY = { data: undefined, loading: true, error: undefined };

/**
 * Fetches when `key` changes and whenever one of the topics does. One fetch runs and at most one waits behind it.
 * An answer for an older key is dropped.
 */
export function useResource<T>(key: string, fetch: () => Promise<T>, topics: readonly Topic[], only?: (change: Change) => boolean): Resource<T> {
  const backend = useBackend();
  const [state, setState] = useState<State<T>>(EMPTY);
  const latest = useRef({ fetch, only });
  useEffect(() => {
    latest.current = { fetch, only };
  });
  const run = useRef<() => void>(() => undefined);
  const list = topics.join(" ");
  useEffect(() => {
    let ended = false;
    let busy = false;
    let again = false;
    setState((now) => (now === EMPTY ? now : { ...EMPTY }));
    const go = async () => {
      if (busy) {
        again = true;
        return;
      }
      busy = true;
      do {
        again = false;
        try {
          const data = await latest.current.fetch();
          if (!ended) setState({ data, loading: false, error: undefined });
        } catch (thrown) {
          if (!ended) setState((now) => ({ ...now, loading: false, error: faultOf(thrown) }));
        }
        // Another call may have set it while this one waited.
      } while (again as boolean && !ended);
      busy = false;
    };
    run.current = () => void go();
    const wanted = new Set(list.split(" "));
    const stop = backend.subscribe((change) => {
      if (wanted.has(change.topic) && (latest.current.only?.(change) ?? true)) void go();
    });
    void go();
    return () => {
      ended = true;
      stop();
    };
  }, [key, list, backend]);
  const refresh = useCallback(() => {
    run.current();
  }, []);
  return { ...state, refresh };
}
