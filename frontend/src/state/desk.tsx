import { createContext, use, useMemo, type ReactNode } from "react";
import type { CallView, CardView, Hello, QuestionView } from "../api/types";
import { useBackend } from "./backend";
import { type Resource, useResource } from "./resource";

/** What more than one part of the window looks at: fetched once, followed together. */
export interface Desk {
  /** The newest greeting: paused, notices, keyring. */
  hello: Hello;
  cards: Resource<CardView[]>;
  questions: Resource<QuestionView[]>;
  running: Resource<CallView[]>;
}

const DeskContext = createContext<Desk | null>(null);

export function DeskProvider({ hello, children }: { hello: Hello; children: ReactNode }) {
  const backend = useBackend();
  const newest = useResource("hello", () => backend.settings.hello(), ["settings"]);
  const cards = useResource("cards", () => backend.approvals.list(), ["approvals", "servers"]);
  const questions = useResource("questions", () => backend.questions.list(), ["questions"]);
  const running = useResource("running", () => backend.calls.running(), ["calls", "approvals", "questions", "progress", "history"]);
  const now = newest.data ?? hello;
  const desk = useMemo(() => ({ hello: now, cards, questions, running }), [now, cards, questions, running]);
  return <DeskContext value={desk}>{children}</DeskContext>;
}

export function useDesk(): Desk {
  const desk = use(DeskContext);
  if (desk === null) throw new Error("there is no DeskProvider above");
  return desk;
}
