import { Button } from "@mantine/core";
import type { JsonProblem } from "../../utils/jsonparse";
import { parseJson } from "../../utils/jsonparse";
import { writeJson } from "../../utils/jsonwrite";
import { Area } from "./Area";
import { describedBy } from "./FieldFrame";
import classes from "./form.module.css";

export interface JsonEditorProps {
  id: string;
  text: string;
  label: string;
  problem: JsonProblem | undefined;
  /** What is wrong with a text that is JSON, "" for nothing. */
  complaint: string;
  readOnly: boolean;
  onChange: (text: string) => void;
}

/** The whole value as JSON text. A text with a mistake stays as typed, with the mistake named and its place. */
export function JsonEditor({ id, text, label, problem, complaint, readOnly, onChange }: JsonEditorProps) {
  const helpId = `${id}-help`;
  const goThere = () => {
    const area = document.getElementById(id);
    if (!(area instanceof HTMLTextAreaElement) || problem === undefined) return;
    area.focus();
    area.setSelectionRange(problem.offset, Math.min(text.length, problem.offset + 1));
  };
  const tidy = () => {
    const read = parseJson(text);
    if (read.ok) onChange(writeJson(read.value, 2));
  };
  return (
    <div className={classes["field"]}>
      <Area
        id={id}
        aria-label={label}
        attributes={describedBy(helpId)}
        value={text}
        readOnly={readOnly}
        error={problem !== undefined || complaint !== ""}
        onChange={(event) => onChange(event.currentTarget.value)}
        classNames={{ input: classes["mono"] ?? "" }}
        spellCheck={false}
        least={8}
        most={28}
        size="xs"
      />
      <div className={classes["labelRow"]}>
        <div id={helpId} className={problem === undefined && complaint === "" ? classes["help"] : classes["error"]}>
          {problem !== undefined ? `Line ${problem.line}, column ${problem.column}: ${problem.message}.` : complaint}
        </div>
        <span className={classes["acts"]}>
          {problem !== undefined && (
            <Button variant="subtle" size="compact-xs" onClick={goThere}>
              Go there
            </Button>
          )}
          {!readOnly && (
            <Button variant="subtle" size="compact-xs" disabled={problem !== undefined} onClick={tidy}>
              Tidy
            </Button>
          )}
        </span>
      </div>
    </div>
  );
}
