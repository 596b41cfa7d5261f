import { useCallback, useEffect, useRef } from "react";

/** The screens, in the order of the rail. */
export const SCREENS = ["approvals", "tools", "servers", "history", "rules", "settings"] as const;
export type Screen = (typeof SCREENS)[number];

/** Where the window is: a screen, and what is selected on it. */
export interface Route {
  screen: Screen;
  /** Call or question on approvals and history, server on servers, rule on rules, [server, tool] as JSON on tools; "" for none. */
  item: string;
}

/** Goes to a screen; without an item, to the one that was selected there last. */
export type Navigate = (screen: Screen, item?: string) => void;

/** Navigates only while the asking part still stands: an answer that comes late must not take the person away from where they went since. */
export function useWhileHere(onNavigate: Navigate): Navigate {
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return useCallback(
    (screen, item) => {
      if (here.current) onNavigate(screen, item);
    },
    [onNavigate],
  );
}

/** The item of the rules screen that makes a rule from a call. */
export function fromCall(callId: string): string {
  return `from ${callId}`;
}

/** The call that an item of the rules screen makes a rule from, or "". */
export function callOf(item: string): string {
  return item.startsWith("from ") ? item.slice(5) : "";
}
