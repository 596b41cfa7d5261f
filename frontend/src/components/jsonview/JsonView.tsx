import { SegmentedControl } from "@mantine/core";
import { useMemo, useState } from "react";
import { parseJson } from "../../utils/jsonparse";
import { writeJson } from "../../utils/jsonwrite";
import { CopyButton } from "./CopyButton";
import { JsonTree } from "./JsonTree";
import classes from "./jsonview.module.css";
import { TextView } from "./TextView";

type Mode = "tree" | "lines" | "exact";

export interface JsonViewProps {
  /** JSON text, shown without losing a digit, a key or its order. Anything else is shown as text. */
  text: string;
  label: string;
  start?: Mode;
}

/** JSON as a tree, spread over lines, or exactly as it stands. */
export function JsonView({ text, label, start = "tree" }: JsonViewProps) {
  const read = useMemo(() => parseJson(text, { keepDuplicates: true }), [text]);
  const [wanted, setWanted] = useState<Mode>(start);
  const mode = read.ok ? wanted : "exact";
  const lines = useMemo(() => (mode === "lines" && read.ok ? writeJson(read.value, 2) : ""), [mode, read]);
  return (
    <div className={classes["view"]}>
      <div className={classes["bar"]}>
        {read.ok ? (
          <SegmentedControl
            size="xs"
            aria-label={`How to show ${label}`}
            value={mode}
            onChange={(next) => setWanted(next)}
            transitionDuration={0}
            data={[
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
      {mode === "tree" && read.ok ? <JsonTree value={read.value} label={label} /> : <TextView text={mode === "lines" ? lines : text} label={label} />}
    </div>
  );
}
