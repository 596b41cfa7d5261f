import { Button } from "@mantine/core";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { faultOf } from "../../api/errors";
import type { LogLine } from "../../api/types";
import { stripAnsi } from "../../components/jsonview";
import { Seen } from "../../components/jsonview";
import { Section } from "../../components/ui";
import { useBackend } from "../../state/backend";
import { clock, exactly } from "../../utils/time";
import classes from "./servers.module.css";

/** Lines that are kept on screen. */
const MOST = 2_000;
/** Within so many pixels of the end the log follows. */
const NEAR = 24;

interface Shown {
  lines: readonly LogLine[];
  dropped: number;
  error: string;
}

/** What a server wrote, as it writes it. Scrolling up stops the following. */
export function Log({ id }: { id: string }) {
  const backend = useBackend();
  const [shown, setShown] = useState<Shown>({ lines: [], dropped: 0, error: "" });
  const [following, setFollowing] = useState(true);
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let ended = false;
    let busy = false;
    let again = false;
    let after = 0;
    const read = async () => {
      if (busy) {
        again = true;
        return;
      }
      busy = true;
      do {
        again = false;
        try {
          const page = await backend.servers.log(id, after);
          if (ended) return;
          after = page.next;
          if (page.lines.length > 0) setShown((now) => joined(now, page.lines, page.dropped));
        } catch (thrown) {
          if (!ended) setShown((now) => ({ ...now, error: faultOf(thrown).message }));
        }
        // Another call may have set it while this one waited.
      } while (again as boolean);
      busy = false;
    };
    const stop = backend.subscribe((change) => {
      if ((change.topic === "log" || change.topic === "servers") && (change.id === id || change.id === "")) void read();
    });
    void read();
    return () => {
      ended = true;
      stop();
    };
  }, [backend, id]);

  useLayoutEffect(() => {
    if (following && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [shown.lines, following]);

  const scrolled = () => {
    const at = box.current;
    if (at !== null) setFollowing(at.scrollHeight - at.scrollTop - at.clientHeight <= NEAR);
  };
  return (
    <Section
      title="Log"
      aside={
        !following && (
          <Button size="compact-xs" variant="default" onClick={() => setFollowing(true)}>
            Follow the end
          </Button>
        )
      }
    >
      {shown.error !== "" && <p className={classes["bad"]}>The log could not be read: {shown.error}</p>}
      {shown.lines.length === 0 ? (
        <p className={classes["quiet"]}>It has written nothing in this run.</p>
      ) : (
        <div ref={box} className={classes["log"]} tabIndex={0} role="log" aria-live="off" aria-label="Log of the server" onScroll={scrolled}>
          {shown.dropped > 0 && <div className={classes["quiet"]}>{shown.dropped.toLocaleString("en")} earlier lines made room.</div>}
          {shown.lines.map((line) => (
            <div key={line.n} className={classes["logLine"]} data-level={line.level}>
              <span className={classes["quiet"]} title={exactly(line.time)}>
                {clock(line.time)} {line.source}
                {line.level !== "" && ` ${line.level}`}
              </span>{" "}
              <Seen text={stripAnsi(line.text)} />
            </div>
          ))}
        </div>
      )}
    </Section>
  );
}

function joined(now: Shown, lines: readonly LogLine[], dropped: number): Shown {
  const all = [...now.lines, ...lines];
  const over = Math.max(0, all.length - MOST);
  return { lines: over > 0 ? all.slice(over) : all, dropped: now.dropped + dropped + over, error: "" };
}
