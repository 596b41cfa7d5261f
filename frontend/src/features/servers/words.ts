import type { ServerView } from "../../api/types";
import type { ToneName } from "../../components/ui";

export function stateOf(server: ServerView): { tone: ToneName; word: string } {
  switch (server.state) {
    case "running":
      return { tone: "busy", word: "Running" };
    case "starting":
      return { tone: "busy", word: "Starting" };
    case "stopping":
      return { tone: "busy", word: "Stopping" };
    case "attention":
      return server.needsConsent ? { tone: "need", word: "Needs consent" } : { tone: "need", word: "Needs attention" };
    case "stopped":
      return server.enabled ? { tone: "quiet", word: "Stopped" } : { tone: "quiet", word: "Switched off" };
  }
}

/** What a server speaks: "2026-07-28" is the modern era, "2025-11-25" the older one. */
export function speaks(server: ServerView): string {
  if (server.version === "") return server.era === "" ? "" : server.era === "modern" ? "modern" : "older";
  return `${server.era === "legacy" ? "older" : "modern"} protocol, ${server.version}`;
}

export function toolCount(count: number): string {
  return count === 1 ? "1 tool" : `${count.toLocaleString("en")} tools`;
}

export function kindWords(kind: ServerView["kind"]): string {
  return kind === "builtin" ? "built in" : kind === "http" ? "over HTTP" : "a program";
}

/** The words of a reason and what to do about it, each a sentence. */
export function reasonOf({ reason, hint }: ServerView): string {
  return [reason, hint]
    .filter((part) => part !== "")
    .map((part) => (/[.!?…]$/.test(part) ? part : `${part}.`))
    .join(" ");
}
