import type { ServerView, ToolDetail, ToolGroup, ToolSummary } from "../api/types";
import { FORM_SCHEMA } from "./samples";

export function server(part: Partial<ServerView>): ServerView {
  return {
    id: "s1", name: "Demo", kind: "builtin", enabled: true, state: "running", reason: "", hint: "", code: "", since: "", era: "modern", version: "2026-07-28",
    serverName: "demo", serverVersion: "1", pid: 7, toolCount: 0, icon: "", hue: 210, nextTry: "", needsConsent: false, fallbacks: [],
    ...part,
  };
}

export function tool(part: Partial<ToolSummary>): ToolSummary {
  return { serverId: "s1", name: "weather", title: "", description: "", icon: "", annotations: [], hidden: "", problem: "", definitionHash: "h", change: "", ...part };
}

export function groups(many: number): ToolGroup[] {
  const live = new Date(Date.now() - 5_000).toISOString();
  const old = new Date(Date.now() - 3 * 86_400_000).toISOString();
  return [
    {
      server: server({ id: "s1", name: "Demo" }),
      freshness: "live",
      received: live,
      warnings: [],
      problems: [],
      tools: [
        tool({ name: "weather", title: "Weather", description: "The weather of a place.\nWith forecast.", annotations: [{ label: "read-only", claim: "readOnlyHint: true" }] }),
        tool({ name: "chart_image", title: "Chart", description: "Draws a chart as an image", change: "new" }),
        tool({ name: "synchronise_every_customer_record_between_all_regions_and_the_archive_copy_v2", description: "A long name", change: "changed" }),
        tool({ name: "read\u202edaer", title: "Safe\u200b", description: "ok\u2066hidden\u2069" }),
        tool({ name: "mirrored", hidden: "its header annotation stands below items" }),
      ],
    },
    {
      server: server({ id: "s2", name: "Files", kind: "stdio", state: "stopped", hue: 30, enabled: false }),
      freshness: "cached",
      received: old,
      warnings: ["The second page repeated its cursor, so listing stopped there"],
      problems: ["item 3 has no name"],
      tools: Array.from({ length: many }, (_, i) => tool({ serverId: "s2", name: `tool_${i}`, description: `Tool number ${i}` })),
    },
    { server: server({ id: "s3", name: "Weather", kind: "stdio", state: "attention", reason: "`npx` was not found. Searched 9 folders", hue: 120 }), freshness: "none", received: "", warnings: [], problems: [], tools: [] },
    { server: server({ id: "s4", name: "Mail", kind: "http", state: "attention", needsConsent: true, hue: 300 }), freshness: "none", received: "", warnings: [], problems: [], tools: [] },
    { server: server({ id: "s5", name: "Slow", kind: "stdio", state: "starting", hue: 60 }), freshness: "none", received: "", warnings: [], problems: [], tools: [] },
  ];
}

export function detail(part: Partial<ToolDetail> = {}): ToolDetail {
  return {
    summary: tool({
      name: "weather",
      title: "Weather",
      description: "Tells the weather of a place for the days ahead.\nIt knows cities, and places by their coordinates.\nNumbers are rounded unless asked otherwise.",
      annotations: [{ label: "read-only", claim: "readOnlyHint: true" }, { label: "reaches beyond this machine", claim: "openWorldHint: true" }],
      change: "changed",
    }),
    server: server({}),
    freshness: "cached",
    received: new Date(Date.now() - 7_200_000).toISOString(),
    inputSchema: FORM_SCHEMA,
    outputSchema: '{"type":"object"}',
    raw: '{"name":"weather","inputSchema":{"type":"object"}}',
    schemaProblem: "",
    findings: [],
    reviewed: "",
    redefined: null,
    ...part,
  };
}
