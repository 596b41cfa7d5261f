import { useCallback, useState } from "react";
import type { ToolGroup } from "../../api/types";
import { toolKey } from "./rows";

export interface Held {
  groups: readonly ToolGroup[] | undefined;
  /** How many tools came or went that the list does not show yet. */
  waiting: number;
  setReading: (reading: boolean) => void;
  show: () => void;
}

/**
 * Keeps a list still while a person reads it: what changes within its lines
 * shows at once, lines that come or go wait until the person looks elsewhere or
 * asks for them.
 */
export function useHeld(newest: readonly ToolGroup[] | undefined): Held {
  const [reading, setReading] = useState(false);
  const [shown, setShown] = useState<readonly ToolGroup[] | undefined>(newest);
  const waiting = reading && shown !== undefined && newest !== undefined ? difference(shown, newest) : 0;
  const next = waiting > 0 ? shown : newest;
  if (next !== shown && next !== undefined) setShown(next);
  const show = useCallback(() => setReading(false), []);
  return { groups: next ?? shown, waiting, setReading, show };
}

function keysOf(groups: readonly ToolGroup[]): Set<string> {
  return new Set(groups.flatMap((group) => [group.server.id, ...group.tools.map((tool) => toolKey(group.server.id, tool.name))]));
}

/** How many lines are in one and not in the other. */
export function difference(a: readonly ToolGroup[], b: readonly ToolGroup[]): number {
  const before = keysOf(a);
  const after = keysOf(b);
  let count = 0;
  for (const key of before) if (!after.has(key)) count++;
  for (const key of after) if (!before.has(key)) count++;
  return count;
}
