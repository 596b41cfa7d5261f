import { Tabs } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { BytesBox, JsonView, type LoadBytes, Seen } from "../jsonview";
import { BlockView, type LinkPart } from "./BlockView";
import classes from "./result.module.css";
import type { Result } from "./types";

export interface ResultViewProps {
  result: Result;
  /** Reads bytes behind a handle. Keep its identity stable between renders. */
  load: LoadBytes;
  /** What stands below each link to a resource; nothing is opened by itself. Absent: nothing. */
  link?: LinkPart;
}

/** What came back from a call: its content block by block, and the kept bytes beside it. */
export function ResultView({ result, load, link }: ResultViewProps) {
  return (
    <Tabs defaultValue="content" keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="content">Content</Tabs.Tab>
        <Tabs.Tab value="raw">Raw</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="content" pt="sm">
        <ContentPane result={result} load={load} {...(link === undefined ? {} : { link })} />
      </Tabs.Panel>
      <Tabs.Panel value="raw" pt="sm">
        <BytesBox bytes={result.raw} load={load} label="The result as it was kept" start="exact" />
      </Tabs.Panel>
    </Tabs>
  );
}

function ContentPane({ result, load, link }: ResultViewProps) {
  const { blocks, structured, isError, notes, raw, schemaErrors, error } = result;
  const nothing = blocks.length === 0 && structured === null && error === null;
  return (
    <div className={classes["result"]}>
      {error !== null && <ProtocolError error={error} />}
      {isError && (
        <div className={classes["failure"]}>
          <IconAlertTriangle size={16} aria-hidden /> The tool reported an error.
        </div>
      )}
      {raw.masked > 0 && (
        <p className={classes["note"]}>
          Masked in {raw.masked} {raw.masked === 1 ? "place" : "places"}: a secret stood there.
        </p>
      )}
      {notes.map((note, at) => (
        <p key={at} className={classes["note"]}>
          <Seen text={note} />
        </p>
      ))}
      {nothing && <p className={classes["note"]}>{isError ? "It gave no reason." : "The tool finished and returned nothing."}</p>}
      {blocks.map((block) => (
        <BlockView key={block.index} block={block} load={load} link={link} />
      ))}
      {structured !== null && (
        <div role="group" className={classes["block"]} aria-label="Structured content">
          <div className={classes["heading"]}>Structured content</div>
          {!isError && schemaErrors.length > 0 && (
            <div className={classes["mismatch"]}>
              It does not match the output schema that the tool declares:
              <ul>
                {schemaErrors.map((one, at) => (
                  <li key={at}>
                    <Seen text={one.pointer === "" ? one.message : `${one.pointer}: ${one.message}`} />
                  </li>
                ))}
              </ul>
            </div>
          )}
          <BytesBox bytes={structured} load={load} label="Structured content" start="tree" />
        </div>
      )}
      {structured === null && !isError && schemaErrors.length > 0 && (
        <p className={classes["note"]}>
          <Seen text={schemaErrors.map((one) => one.message).join("; ")} />
        </p>
      )}
    </div>
  );
}

function ProtocolError({ error }: { error: NonNullable<Result["error"]> }) {
  return (
    <div className={classes["block"]}>
      <div className={classes["failure"]}>
        <IconAlertTriangle size={16} aria-hidden /> The server answered with a protocol error: <Seen text={error.message} lines />{" "}
        <span className={classes["note"]}>({error.code})</span>
      </div>
      {error.data !== "" && <JsonView text={error.data} label="Data of the error" />}
    </div>
  );
}
