import type { ToolGroup, ToolSummary } from "../../api/types";

/** One line of the list: a server's heading, a word about it, or a tool. */
export type ListRow =
  | { kind: "group"; key: string; group: ToolGroup; shown: number }
  | { kind: "note"; key: string; text: string; tone: "quiet" | "bad"; action: "servers" | "" }
  | { kind: "tool"; key: string; tool: ToolSummary; group: ToolGroup };

/** Identity of a tool: the server and the name, since names repeat between servers. */
export function toolKey(serverId: string, name: string): string {
  return JSON.stringify([serverId, name]);
}

/** Whether a tool has all the words somewhere in its names or its description, or its server's name. */
export function matches(tool: ToolSummary, serverName: string, words: readonly string[]): boolean {
  const text = `${tool.title}\n${tool.name}\n${tool.description}\n${serverName}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

export function wordsOf(search: string): string[] {
  return search.toLowerCase().split(/\s+/).filter((word) => word !== "");
}

/** All lines of the list for a search, in the order of the servers and of their lists. */
export function listRows(groups: readonly ToolGroup[], search: string): ListRow[] {
  const words = wordsOf(search);
  return groups.flatMap((group) => {
    const { server } = group;
    const tools = words.length === 0 ? group.tools : group.tools.filter((tool) => matches(tool, server.name, words));
    if (words.length > 0 && tools.length === 0) return [];
    const rows: ListRow[] = [{ kind: "group", key: `group ${server.id}`, group, shown: tools.length }];
    if (words.length === 0) rows.push(...notesOf(group));
    rows.push(...tools.map((tool): ListRow => ({ kind: "tool", key: toolKey(server.id, tool.name), tool, group })));
    return rows;
  });
}

function notesOf(group: ToolGroup): ListRow[] {
  const { server } = group;
  const notes: ListRow[] = [];
  const add = (text: string, tone: "quiet" | "bad" = "quiet", action: "servers" | "" = "") =>
    notes.push({ kind: "note", key: `note ${server.id} ${notes.length}`, text, tone, action });
  if (server.needsConsent) add("It has not been allowed to start yet. Review its launch under Servers.", "quiet", "servers");
  else if (server.state === "attention") add(sentence(server.reason === "" ? "It needs attention" : server.reason), "bad", "servers");
  else if (group.tools.length === 0) add(emptyReason(group), "quiet", server.enabled ? "" : "servers");
  for (const warning of group.warnings) add(sentence(warning));
  for (const problem of group.problems) add(`Not readable: ${sentence(problem)}`, "bad");
  return notes;
}

function emptyReason({ server, freshness }: ToolGroup): string {
  if (server.state === "starting") return "Starting; its tools appear here.";
  if (!server.enabled) return "Switched off.";
  if (server.state === "stopped" || server.state === "stopping") return "Stopped.";
  return freshness === "none" ? "Its tools have not been listed yet." : "It offers no tools.";
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
