import { Button } from "@mantine/core";
import { useState } from "react";
import type { CallDetail, TimelineItem } from "../../api/types";
import { JsonView, Seen, sizeWords } from "../../components/jsonview";
import { Section } from "../../components/ui";
import type { Navigate } from "../../state/route";
import { clock, exactly, lasting } from "../../utils/time";
import classes from "./calls.module.css";

/** Who decided, when, and what else is known of a call. */
export function Facts({ detail, onNavigate }: { detail: CallDetail; onNavigate: Navigate }) {
  const { call, decision } = detail;
  const rows: [string, string][] = [];
  if (decision !== null) {
    rows.push(["Decision", decision.verdict === "approved" ? "Approved" : "Denied"]);
    if (decision.reason !== "") rows.push(["Reason", decision.reason]);
    if (decision.by === "rule") rows.push(["By the rule", decision.rule], ["Decided", exactly(decision.at)]);
    else rows.push(["Decided", `${exactly(decision.at)}, after ${lasting(decision.shownMs)} on screen`]);
  }
  rows.push(["Proposed", exactly(call.created)]);
  if (call.sentAt !== "") rows.push(["Sent", exactly(call.sentAt)]);
  if (call.finishedAt !== "") rows.push(["Ended", exactly(call.finishedAt)]);
  if (call.durationMs >= 0) rows.push(["Time taken", lasting(call.durationMs)]);
  rows.push(["Size", `arguments ${sizeWords(call.argsBytes)}${call.resultBytes > 0 ? `, result ${sizeWords(call.resultBytes)}` : ""}`]);
  if (call.revision > 1) rows.push(["Revision", String(call.revision)]);
  rows.push(["Arguments hash", detail.argsHash]);
  return (
    <Section
      title="Decision and times"
      aside={
        detail.parentId !== "" && (
          <Button variant="subtle" size="compact-xs" onClick={() => onNavigate("history", detail.parentId)}>
            Show the earlier call
          </Button>
        )
      }
    >
      <dl className={classes["facts"]}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Seen text={value} lines />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** Every event of a call, in order, with its kept bytes on demand. */
export function Timeline({ items, start }: { items: readonly TimelineItem[]; start: boolean }) {
  const [open, setOpen] = useState(start);
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className={classes["folded"]}>
      <summary>
        Timeline, {items.length} {items.length === 1 ? "event" : "events"}
      </summary>
      <ol className={classes["timeline"]}>
        {items.map((item) => (
          <Step key={item.seq} item={item} />
        ))}
      </ol>
    </details>
  );
}

function Step({ item }: { item: TimelineItem }) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <div className={classes["step"]}>
        <span className={classes["clock"]} title={exactly(item.time)}>
          {clock(item.time)}
        </span>
        <span className={classes["stepTitle"]}>
          <Seen text={item.title} />
        </span>
        <Button variant="subtle" color="gray" size="compact-xs" aria-expanded={open} aria-label={`Event ${item.seq} as it is kept`} onClick={() => setOpen(!open)}>
          {open ? "Hide" : "Show"}
        </Button>
      </div>
      {open && <JsonView text={item.detail} label={`Event ${item.seq}`} start="lines" />}
    </li>
  );
}
