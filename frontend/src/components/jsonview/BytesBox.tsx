import { Button } from "@mantine/core";
import { useMemo } from "react";
import { hasAnsi, stripAnsi } from "./ansi";
import { type Bytes, type LoadBytes, MOST, sizeWords, STEP, useBytes } from "./bytes";
import { CopyButton } from "./CopyButton";
import { JsonView } from "./JsonView";
import classes from "./jsonview.module.css";
import { TextView } from "./TextView";

export interface BytesBoxProps {
  bytes: Bytes;
  load: LoadBytes;
  label: string;
  /** Offer the tree once all of it is here. */
  json?: boolean;
  /** How to start showing JSON. */
  start?: "tree" | "lines" | "exact";
}

/** Kept bytes: whole where they are small, part by part where they are large, with their size and what was masked. */
export function BytesBox(props: BytesBoxProps) {
  return <Box key={`${props.bytes.handle} ${props.bytes.size}`} {...props} />;
}

function Box({ bytes, load, label, json = true, start = "exact" }: BytesBoxProps) {
  const state = useBytes(bytes, load);
  const colors = useMemo(() => !json && hasAnsi(state.text), [json, state.text]);
  const shown = bytes.handle !== "" && state.loaded === 0 ? new TextEncoder().encode(state.text).length : state.loaded;
  return (
    <div className={classes["view"]}>
      <div className={classes["bar"]}>
        <span className={classes["note"]}>
          {sizeWords(bytes.size)}
          {bytes.masked > 0 && `, masked in ${bytes.masked} ${bytes.masked === 1 ? "place" : "places"}`}
        </span>
        {!json && state.done && <CopyButton label={colors ? "Copy clean" : "Copy"} text={() => (colors ? stripAnsi(state.text) : state.text)} />}
        {!json && state.done && colors && <CopyButton label="Copy with codes" text={() => state.text} />}
      </div>
      {json && state.done ? <JsonView text={state.text} label={label} start={start} /> : <TextView text={state.text} label={label} colors={colors} blanks={json} />}
      {!state.done && (
        <div className={classes["bar"]} aria-live="polite">
          <span className={classes["note"]}>
            {state.loading ? "Loading: " : "The first "}
            {sizeWords(shown)} of {sizeWords(bytes.size)}
          </span>
          {state.loading ? (
            <Button variant="default" size="compact-xs" onClick={state.stop}>
              Stop
            </Button>
          ) : (
            <>
              <Button variant="default" size="compact-xs" onClick={() => state.load(state.loaded + STEP)}>
                Load more
              </Button>
              {bytes.size <= MOST && (
                <Button variant="default" size="compact-xs" onClick={() => state.load(bytes.size)}>
                  Load all
                </Button>
              )}
            </>
          )}
        </div>
      )}
      {state.error !== "" && <div className={classes["problem"]}>The rest could not be loaded: {state.error}</div>}
    </div>
  );
}
