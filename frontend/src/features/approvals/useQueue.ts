import { useState } from "react";
import type { CardView, QuestionView } from "../../api/types";

/** One place in the queue: a card, the questions of a running call, or one that was here and is done. */
export interface Entry {
  /** The call's id. */
  key: string;
  title: string;
  server: string;
  icon: string;
  hue: number;
  created: string;
  card: CardView | undefined;
  questions: readonly QuestionView[];
  /** It waits for nothing any more, and stays only so that nothing moves under the pointer. */
  done: boolean;
}

/** The queue in the order in which things came. */
export function entriesOf(cards: readonly CardView[], questions: readonly QuestionView[]): Entry[] {
  const entries = new Map<string, Entry>();
  for (const card of cards) {
    const { call, server } = card;
    entries.set(call.id, {
      key: call.id, title: card.toolTitle === "" ? call.tool : card.toolTitle, server: server.name, icon: call.icon, hue: call.hue, created: call.created,
      card, questions: [], done: false,
    });
  }
  for (const question of questions) {
    const key = question.callId === "" ? question.id : question.callId;
    const before = entries.get(key);
    entries.set(key, {
      key, title: question.toolTitle, server: question.serverName, icon: question.icon, hue: question.hue, created: before?.created ?? question.created,
      card: undefined, questions: [...(before?.questions ?? []), question], done: false,
    });
  }
  return [...entries.values()].sort((a, b) => Date.parse(a.created) - Date.parse(b.created));
}

/**
 * Keeps what is on screen in its place: what is new comes at the end, and what is done stays while the pointer is over
 * the queue or it is the selected one.
 */
export function useQueue(newest: readonly Entry[], selected: string, held: boolean): readonly Entry[] {
  const [shown, setShown] = useState<readonly Entry[]>(newest);
  const next = merge(shown, newest, selected, held);
  if (!same(shown, next)) setShown(next);
  return next;
}

export function merge(shown: readonly Entry[], newest: readonly Entry[], selected: string, held: boolean): Entry[] {
  const byKey = new Map(newest.map((entry) => [entry.key, entry]));
  const kept = shown.flatMap((entry): Entry[] => {
    const now = byKey.get(entry.key);
    byKey.delete(entry.key);
    if (now !== undefined) return [now];
    return held || entry.key === selected ? [entry.done ? entry : { ...entry, card: undefined, questions: [], done: true }] : [];
  });
  return [...kept, ...byKey.values()];
}

function same(a: readonly Entry[], b: readonly Entry[]): boolean {
  return a.length === b.length && a.every((entry, at) => entry === b[at]);
}
