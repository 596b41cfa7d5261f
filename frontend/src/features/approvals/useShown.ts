import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { faultOf } from "../../api/errors";

/** Go takes no answer sooner after it was told that the thing is on screen. */
const WAIT = 600;
const AGAIN = 1_000;

export interface Shown {
  /** An answer counts now. */
  ready: boolean;
  /** Why it cannot be answered yet, "" for no reason but time. */
  problem: string;
}

/**
 * Tells the back end once something is really on screen: painted, and in a window that can be seen. Ready a moment later.
 * `key` names what is shown; when it changes all starts anew.
 */
export function useShown(key: string, box: RefObject<HTMLElement | null>, report: () => Promise<void>): Shown {
  const [state, setState] = useState({ key: "", ready: false, problem: "" });
  const tell = useEffectEvent(report);
  useEffect(() => {
    let ended = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let frame = 0;
    const later = (ms: number, then: () => void) => {
      timer = setTimeout(then, ms);
    };
    const send = async () => {
      try {
        await tell();
        if (!ended) later(WAIT, () => setState({ key, ready: true, problem: "" }));
      } catch (thrown) {
        if (ended) return;
        setState({ key, ready: false, problem: faultOf(thrown).message });
        later(AGAIN, paint);
      }
    };
    const paint = () => {
      // The second frame begins after the first was painted.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => {
          if (!ended) void send();
        });
      });
    };
    const start = () => {
      if (ended) return;
      if (document.visibilityState === "visible" && onScreen(box.current)) {
        paint();
      } else later(200, start);
    };
    start();
    return () => {
      ended = true;
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }, [key, box]);
  return state.key === key ? { ready: state.ready, problem: state.problem } : { ready: false, problem: "" };
}

function onScreen(element: HTMLElement | null): boolean {
  if (element === null) return false;
  // Absent where nothing is laid out.
  return typeof element.checkVisibility !== "function" || element.checkVisibility({ visibilityProperty: true });
}
