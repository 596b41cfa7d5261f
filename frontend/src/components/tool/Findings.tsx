import { Seen } from "../jsonview";
import classes from "./tool.module.css";

/** What a scan found, and where. */
export interface Finding {
  kind: string;
  pointer: string;
  name: boolean;
  piece: string;
  says: string;
  definition: boolean;
}

const WORDS: Readonly<Record<string, string>> = {
  invisible: "Invisible characters",
  bidi: "Reading direction",
  control: "Control characters",
  blank_run: "White space",
  mixed_script: "Mixed letters",
  look_alike: "Look-alike name",
  secret: "Secret",
  encoded: "Encoded text",
  instruction: "Words for a model",
  other_tool: "Another server's tool",
  data_folder: "Countersign's own data",
};

/** Findings one by one, each with its place, its words and the piece itself. */
export function Findings({ of }: { of: readonly Finding[] }) {
  if (of.length === 0) return null;
  return (
    <ul className={classes["findings"]} aria-label="What a scan found">
      {of.map((one, at) => (
        <li key={at}>
          {WORDS[one.kind] !== undefined && (
            <b>
              {WORDS[one.kind]}, {one.definition ? "in the definition" : "in the arguments"}
              {one.pointer !== "" && (
                <>
                  {one.name ? " in the name " : " at "}
                  <code>
                    <Seen text={one.pointer} />
                  </code>
                </>
              )}
              :{" "}
            </b>
          )}
          <Seen text={one.says} />
          {one.piece !== "" && (
            <>
              {" "}
              <code>
                <Seen text={one.piece} />
              </code>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
