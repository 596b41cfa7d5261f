/** Whether a place takes text, so that its own menu and drops of text are of use. */
function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  const field = target.closest("input, textarea, [contenteditable='true']");
  if (field === null) return false;
  return !(field instanceof HTMLInputElement) || !["button", "checkbox", "radio", "submit", "reset", "file", "color", "range"].includes(field.type);
}

/**
 * Keeps the window on its page, whatever is clicked, dropped, pressed or called: links and forms do nothing, only text can
 * be dropped and only into a field, nothing opens a window, and nothing loads the page again (its token is served once).
 */
export function guardWindow(win: Window): () => void {
  const stop = (event: Event) => event.preventDefault();
  const link = (event: Event) => {
    if (event.target instanceof Element && event.target.closest("a[href], area[href], svg a") !== null) event.preventDefault();
  };
  const drop = (event: DragEvent) => {
    const types = event.dataTransfer?.types ?? [];
    if (takesText(event.target) && !types.includes("Files") && !types.includes("text/uri-list")) return;
    event.preventDefault();
    if (event.dataTransfer != null) event.dataTransfer.dropEffect = "none";
  };
  const menu = (event: Event) => {
    if (!takesText(event.target)) event.preventDefault();
  };
  const keys = (event: KeyboardEvent) => {
    const reload = event.key === "F5" || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "r");
    const back = event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight") && !takesText(event.target);
    if (reload || back) event.preventDefault();
  };
  const ending = new AbortController();
  const capture = { capture: true, signal: ending.signal };
  win.addEventListener("click", link, capture);
  win.addEventListener("auxclick", link, capture);
  win.addEventListener("submit", stop, capture);
  win.addEventListener("dragover", drop, capture);
  win.addEventListener("drop", drop, capture);
  win.addEventListener("contextmenu", menu, capture);
  win.addEventListener("keydown", keys, capture);
  const before = Object.getOwnPropertyDescriptor(win, "open");
  Object.defineProperty(win, "open", { configurable: true, value: () => null });
  return () => {
    ending.abort();
    if (before !== undefined) Object.defineProperty(win, "open", before);
  };
}
