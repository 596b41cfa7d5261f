const INPUTS = "input, textarea, select, button, [tabindex]";

/** Focuses the element with this id, or the first thing inside it that takes focus. */
export function focusById(id: string, select = false): boolean {
  const element = document.getElementById(id);
  if (element === null) return false;
  const target = element.matches("input, textarea, select") ? element : (element.querySelector<HTMLElement>(INPUTS) ?? element);
  target.focus();
  target.scrollIntoView({ block: "nearest" });
  if (select && target instanceof HTMLInputElement) target.select();
  return true;
}

/** The same once what was just asked for is on screen. */
export function focusSoon(id: string, select = false): void {
  requestAnimationFrame(() => {
    requestAnimationFrame(() => focusById(id, select));
  });
}
