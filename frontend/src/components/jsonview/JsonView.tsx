import { SegmentedControl } from "@mantine/core";
import { useMemo, useState } from "react";
import { parseJson } from "../../utils/jsonparse";
import { writeJson } from "../../utils/jsonwrite";
import { CopyButton } from "./CopyButton";
import { DataTable } from "./DataTable";
import { JsonTree } from "./JsonTree";
import classes from "./jsonview.module.css";
import { tableOf } from "./table";
import { TextView } from "./TextView";

type Mode = "table" | "tree" | "lines" | "exact";

export interface JsonViewProps {
  /** JSON text, shown without losing a digit, a key or its order. Anything else is shown as text. */
  text: string;
  label: string;
  start?: Mode;
}

/** JSON as a tree, as a table where it is a list of objects, spread over lines, or exactly as it stands. */
export function JsonView({ text, label, start = "tree" }: JsonViewProps) {
  const read = useMemo(() => parseJson(text, { keepDuplicates: true }), [text]);
  const table = useMemo(() => (read.ok ? tableOf(read.value) : undefined), [read]);
  const [chosen, setChosen] = useState<Mode | undefined>(undefined);
  // A table of a part hides the rest of the value, so only a table of the whole is what one sees first.
  const wanted = chosen ?? (start === "tree" && table?.name === "" && table.rows.length > 1 ? "table" : start);
  const mode = !read.ok ? "exact" : wanted === "table" && table === undefined ? "tree" : wanted;
  const lines = useMemo(() => (mode === "lines" && read.ok ? writeJson(read.value, 2) : ""), [mode, read]);
  return (
    <div className={classes["view"]}>
      <div className={classes["bar"]}>
        {read.ok ? (
          <SegmentedControl
            size="xs"
            aria-label={`How to show ${label}`}
            value={mode}
            onChange={(next) => setChosen(next)}
            transitionDuration={0}
            data={[
              ...(table === undefined ? [] : [{ value: "table" as const, label: "Table" }]),
              { value: "tree", label: "Tree" },
              { value: "lines", label: "Lines" },
              { value: "exact", label: "Exact" },
            ]}
          />
        ) : (
          <span className={classes["note"]}>
            Shown as text; it is not JSON: {read.problem.message} (line {read.problem.line}, column {read.problem.column}).
          </span>
        )}
        <CopyButton text={() => text} />
      </div>
      {mode === "table" && table !== undefined ? (
        <DataTable table={table} label={label} />
      ) : mode === "tree" && read.ok ? (
        <JsonTree value={read.value} label={label} />
      ) : (
        <TextView text={mode === "lines" ? lines : text} label={label} blanks={read.ok} />
      )}
    </div>
  );
}
