import { createContext, use, type ReactNode } from "react";
import type { Backend } from "../api/backend";

const BackendContext = createContext<Backend | null>(null);

/** Gives everything below it the back end. */
export function BackendProvider({ backend, children }: { backend: Backend; children: ReactNode }) {
  return <BackendContext value={backend}>{children}</BackendContext>;
}

/** The back end; the same object for the life of the page. */
export function useBackend(): Backend {
  const backend = use(BackendContext);
  if (backend === null) throw new Error("there is no BackendProvider above");
  return backend;
}
