/**
 * A bench for looking at the parts without a back end: `parts.html?part=form`,
 * `result` or `tree`, with `&scheme=dark`. Served by Vite in development only.
 */
import "@mantine/core/styles.css";
import { MantineProvider } from "@mantine/core";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { JsonView } from "../components/jsonview";
import { ResultView } from "../components/result";
import { type FieldError, SchemaForm } from "../components/schemaform";
import { ERRORS, FORM_SCHEMA, FORM_VALUE, load, RESULT, TREE } from "./samples";

const query = new URLSearchParams(location.search);

function FormPart() {
  const [text, setText] = useState(query.has("filled") ? FORM_VALUE : "");
  const errors: readonly FieldError[] = query.has("errors") ? ERRORS : NONE;
  return <SchemaForm schemaText={FORM_SCHEMA} valueText={text} onChange={setText} errors={errors} idPrefix="bench" />;
}

const NONE: readonly FieldError[] = [];

function Part() {
  switch (query.get("part")) {
    case "result":
      return <ResultView result={RESULT} load={load} />;
    case "tree":
      return <JsonView text={TREE} label="A tree" />;
    default:
      return <FormPart />;
  }
}

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <MantineProvider forceColorScheme={query.get("scheme") === "dark" ? "dark" : "light"}>
      <div style={{ padding: 16 }}>
        <Part />
      </div>
    </MantineProvider>,
  );
}
