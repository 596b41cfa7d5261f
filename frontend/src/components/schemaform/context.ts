import { createContext, useContext, useEffect } from "react";
import type { JsonValue } from "../../utils/json";
import type { SchemaDoc } from "./doc";
import { ErrorIndex } from "./errors";
import type { FormStore } from "./store";

/** What all fields of one form share. */
export interface FormFrame {
  store: FormStore;
  doc: SchemaDoc;
  /** Distinguishes the ids of this form from those of others on the page. */
  prefix: string;
  readOnly: boolean;
  flat: boolean;
}

/**
 * How a field may be empty: a required one has to hold something, an optional
 * one can be left out, a row or entry is there until it is removed.
 */
export type Presence = "required" | "optional" | "row";

export interface FieldProps {
  schema: JsonValue;
  pointer: string;
  /** The key, or a name such as "Item 1". */
  name: string;
  value: JsonValue | undefined;
  presence: Presence;
  depth: number;
  /** Drawn inside something that already shows its name. */
  bare?: boolean;
  /** How many pickers at this very place stand around it. */
  pickers?: number;
}

export const FrameContext = createContext<FormFrame | null>(null);
export const ErrorsContext = createContext<ErrorIndex>(ErrorIndex.none);

export function useFrame(): FormFrame {
  const frame = useContext(FrameContext);
  if (frame === null) throw new Error("A field stands outside a form");
  return frame;
}

export function useErrors(): ErrorIndex {
  return useContext(ErrorsContext);
}

/** Notes what is unfinished at a place for as long as it is. Kept while the field is folded away. */
export function useUnfinished(pointer: string, reason: string | undefined): void {
  const { store } = useFrame();
  useEffect(() => {
    store.setUnfinished(pointer, reason);
  }, [store, pointer, reason]);
}
