import { createContext, use, useCallback, useEffect, useMemo, useRef, useSyncExternalStore, type ReactNode } from "react";
import type { Backend } from "../api/backend";

/** How long a value that changes again and again waits for the next before it is saved, in milliseconds. */
const SETTLE = 400;

/** What the page keeps between runs, by key: JSON text. */
export class Kept {
  private readonly values: Map<string, string>;
  private readonly listeners = new Map<string, Set<() => void>>();
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();
  private readonly saved = new Map<string, string>();

  constructor(
    private readonly backend: Backend,
    initial: Readonly<Record<string, string>>,
  ) {
    this.values = new Map(Object.entries(initial));
  }

  get(key: string): string | undefined {
    return this.values.get(key);
  }

  /** text "" forgets the key. */
  set(key: string, text: string): void {
    if ((this.values.get(key) ?? "") === text) return;
    if (text === "") this.values.delete(key);
    else this.values.set(key, text);
    for (const tell of this.listeners.get(key) ?? []) tell();
    // The first change is saved at once, since the window may close; those that follow on it, once they have come to rest.
    if (!this.timers.has(key)) this.save(key);
    clearTimeout(this.timers.get(key));
    const rested = () => {
      this.timers.delete(key);
      this.save(key);
    };
    this.timers.set(key, setTimeout(rested, SETTLE));
  }

  watch(key: string, tell: () => void): () => void {
    const set = this.listeners.get(key) ?? new Set();
    set.add(tell);
    this.listeners.set(key, set);
    return () => set.delete(tell);
  }

  /** Saves everything that still waits, for when the window is about to close. */
  flush(): void {
    for (const [key, timer] of [...this.timers]) {
      clearTimeout(timer);
      this.timers.delete(key);
      this.save(key);
    }
  }

  private save(key: string): void {
    const text = this.values.get(key) ?? "";
    if (this.saved.get(key) === text) return;
    this.saved.set(key, text);
    // Comfort only: a value that could not be saved is not worth a word.
    this.backend.settings.saveUI(key, text).catch(() => undefined);
  }
}

const KeptContext = createContext<Kept | null>(null);

export function KeptProvider({ kept, children }: { kept: Kept; children: ReactNode }) {
  useEffect(() => {
    const flush = () => kept.flush();
    window.addEventListener("pagehide", flush);
    document.addEventListener("visibilitychange", flush);
    return () => {
      window.removeEventListener("pagehide", flush);
      document.removeEventListener("visibilitychange", flush);
    };
  }, [kept]);
  return <KeptContext value={kept}>{children}</KeptContext>;
}

/** State that survives navigation and restart under a key. A kept value of another shape must be tolerated by the caller. */
export function usePersisted<T>(key: string, initial: T): [T, (next: T | ((now: T) => T)) => void] {
  const kept = use(KeptContext);
  if (kept === null) throw new Error("there is no KeptProvider above");
  const text = useSyncExternalStore(
    useCallback((tell) => kept.watch(key, tell), [kept, key]),
    () => kept.get(key),
  );
  const first = useRef(initial);
  const value = useMemo(() => (text === undefined ? first.current : read(text, first.current)), [text]);
  const current = useRef(value);
  useEffect(() => {
    current.current = value;
  });
  const set = useCallback(
    (next: T | ((now: T) => T)) => {
      const made = typeof next === "function" ? (next as (now: T) => T)(current.current) : next;
      current.current = made;
      kept.set(key, JSON.stringify(made) ?? "");
    },
    [kept, key],
  );
  return [value, set];
}

function read<T>(text: string, otherwise: T): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    return otherwise;
  }
}
