import { createContext, use, useCallback, useMemo, useRef, useState, type ReactNode } from "react";
import { faultOf } from "../api/errors";

/** A word about something that happened, which goes by itself. */
export interface Toast {
  id: number;
  text: string;
  bad: boolean;
  /** Offered while the toast stands. */
  undo?: { label: string; act: () => void };
}

/** How long a toast stands, in milliseconds; with an undo as long as Go lets it be undone. */
const STAND = 6_000;
const STAND_UNDO = 10_000;
const MOST = 4;

interface Toasts {
  list: readonly Toast[];
  show: (toast: Omit<Toast, "id" | "bad"> & { bad?: boolean }) => void;
  /** Words for what a call of the back end rejected with. */
  fail: (thrown: unknown) => void;
  dismiss: (id: number) => void;
}

const ToastContext = createContext<Toasts | null>(null);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [list, setList] = useState<readonly Toast[]>([]);
  const last = useRef(0);
  const dismiss = useCallback((id: number) => setList((now) => now.filter((toast) => toast.id !== id)), []);
  const show = useCallback<Toasts["show"]>(
    (toast) => {
      const id = ++last.current;
      setList((now) => [...now, { bad: false, ...toast, id }].slice(-MOST));
      setTimeout(() => dismiss(id), toast.undo === undefined ? STAND : STAND_UNDO);
    },
    [dismiss],
  );
  const fail = useCallback(
    (thrown: unknown) => {
      const { message, hint } = faultOf(thrown);
      show({ text: `${message} ${hint}`.trim(), bad: true });
    },
    [show],
  );
  const value = useMemo(() => ({ list, show, fail, dismiss }), [list, show, fail, dismiss]);
  return <ToastContext value={value}>{children}</ToastContext>;
}

export function useToasts(): Toasts {
  const toasts = use(ToastContext);
  if (toasts === null) throw new Error("there is no ToastProvider above");
  return toasts;
}
