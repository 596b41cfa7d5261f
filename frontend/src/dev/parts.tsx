/**
 * A bench for looking at the parts without a back end: `parts.html?part=form`,
 * `result`, `tree` or `tools`, with `&scheme=dark`. Served by Vite in development only.
 */
import "@mantine/core/styles.css";
import "../shell/tokens.css";
import { MantineProvider } from "@mantine/core";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { JsonView } from "../components/jsonview";
import { ResultView } from "../components/result";
import { type FieldError, SchemaForm } from "../components/schemaform";
import { ToolPage } from "../features/tools/parts/ToolPage";
import { ToolsLayout } from "../features/tools/parts/ToolsLayout";
import { theme, variables } from "../shell/theme";
import { detail, groups } from "./toolsamples";
import { deepSchema, ERRORS, FORM_SCHEMA, FORM_VALUE, load, RESULT, TREE, wideSchema } from "./samples";

const query = new URLSearchParams(location.search);

function FormPart() {
  const [text, setText] = useState(query.has("filled") ? FORM_VALUE : "");
  const errors: readonly FieldError[] = query.has("errors") ? ERRORS : NONE;
  const [schema] = useState(() => (query.has("wide") ? wideSchema(Number(query.get("wide"))) : query.has("deep") ? deepSchema(Number(query.get("deep"))) : FORM_SCHEMA));
  return <SchemaForm schemaText={schema} valueText={text} onChange={setText} errors={errors} idPrefix="bench" />;
}

const NONE: readonly FieldError[] = [];

function ToolsPart() {
  const [search, setSearch] = useState("");
  const [draft, setDraft] = useState("");
  const [open, setOpen] = useState(query.has("open"));
  const many = Number(query.get("many") ?? 3);
  const [list] = useState(() => groups(many));
  const page = (
    <ToolPage
      detail={detail()}
      draft={draft}
      onDraft={setDraft}
      onReviewed={() => Promise.resolve()} propose={() => Promise.resolve({ kind: "errors", errors: ERRORS })}
      onBack={() => setOpen(false)}
      now={new Date()}
    />
  );
  return (
    <div style={{ height: "calc(100vh - 32px)" }}>
      <ToolsLayout
        groups={query.has("none") ? [] : list}
        failure=""
        onRetry={() => undefined}
        search={search}
        onSearch={setSearch}
        selected={open ? '["s1","weather"]' : ""}
        onSelect={() => setOpen(true)}
        onRefresh={() => undefined}
        onServers={() => undefined}
        scroll={0}
        onScrolled={() => undefined}
        waiting={query.has("open") ? 3 : 0}
        onReading={() => undefined}
        onShowWaiting={() => undefined}
        now={new Date()}
        page={open ? page : undefined}
      />
    </div>
  );
}

function Part() {
  switch (query.get("part")) {
    case "result":
      return <ResultView result={RESULT} load={load} />;
    case "tools":
      return <ToolsPart />;
    case "tree":
      return <JsonView text={TREE} label="A tree" />;
    default:
      return <FormPart />;
  }
}

// The window itself never scrolls; this page is taller than one.
for (const element of [document.documentElement, document.body]) {
  element.style.overflow = "auto";
  element.style.height = "auto";
}
const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <MantineProvider theme={theme} cssVariablesResolver={variables} forceColorScheme={query.get("scheme") === "dark" ? "dark" : "light"}>
      <div style={{ padding: 16 }}>
        <Part />
      </div>
    </MantineProvider>,
  );
}
