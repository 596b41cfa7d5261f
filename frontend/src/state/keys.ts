import { useEffect, useEffectEvent } from "react";
import { usePersisted } from "./persisted";

/** Whether single keys answer cards. Off until the person switches it on. */
export function useTriage(): [on: boolean, set: (on: boolean) => void] {
  const [on, set] = usePersisted<boolean>("triage", false);
  return [on === true, set];
}

/** What typing belongs to, so that a letter is a letter there. */
const TYPING = 'input:not([type="checkbox"]):not([type="radio"]), textarea, select, [contenteditable], [role="textbox"], [role="combobox"], [role="menu"], [role="listbox"], [role="dialog"]';

/**
 * Single keys, by the letter they write. A held key counts once, one with Ctrl, Alt or Meta never, and none while
 * something is being typed.
 */
export function useKeys(on: boolean, keys: Readonly<Record<string, () => void>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.repeat || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest(TYPING) !== null) return;
    if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return;
    const act = keys[event.key.toLowerCase()];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    if (!on) return undefined;
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [on]);
}
