import { ActionIcon, Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useState } from "react";
import type { ToolDetail } from "../../../api/types";
import { Seen } from "../../../components/jsonview";
import { visibleText } from "../../../utils/visible";
import { exactly, freshnessWords } from "../when";
import { ToolIcon } from "./ToolIcon";
import classes from "./tools.module.css";

/** Descriptions longer than this, or of more lines than two, start folded. */
const FOLD_FROM = 160;

/** What a tool is, who offers it, and what its server says of it. */
export function ToolHeader({ detail, onBack, now }: { detail: ToolDetail; onBack: () => void; now: Date }) {
  const { summary, server } = detail;
  const title = summary.title === "" ? summary.name : summary.title;
  const fresh = freshnessWords(detail.freshness, detail.received, now);
  return (
    <header className={classes["header"]}>
      <div className={classes["headerRow"]}>
        <ActionIcon className={classes["back"]} variant="subtle" color="gray" aria-label="Back to the list" onClick={onBack}>
          <IconArrowLeft size={18} aria-hidden />
        </ActionIcon>
        <ToolIcon icon={summary.icon} name={title} hue={server.hue} size={36} />
        <div className={classes["titles"]}>
          <h1 className={classes["title"]}>
            <Seen text={title} />
          </h1>
          <div className={classes["quiet"]}>
            <code>
              <Seen text={summary.name} />
            </code>{" "}
            on <Seen text={server.name} />
            {fresh !== "" && <span title={exactly(detail.received)}>, {fresh}</span>}
            {summary.change !== "" && <span>, {summary.change === "new" ? "new in the server's list" : "its definition has changed"}</span>}
          </div>
        </div>
      </div>
      <Description key={summary.description} text={summary.description} />
      {summary.annotations.length > 0 && (
        <p className={classes["claims"]}>
          Server says:{" "}
          {summary.annotations.map((annotation, at) => (
            <span key={at} title={visibleText(annotation.claim)}>
              {at > 0 && ", "}
              <em>
                <Seen text={annotation.label} />
              </em>
            </span>
          ))}
        </p>
      )}
    </header>
  );
}

function Description({ text }: { text: string }) {
  const long = text.length > FOLD_FROM || text.split("\n").length > 2;
  const [open, setOpen] = useState(!long);
  if (text === "") return <p className={classes["quiet"]}>Its server does not describe it.</p>;
  return (
    <div>
      <p className={classes["description"]} data-folded={!open}>
        <Seen text={text} lines />
      </p>
      {long && (
        <Button variant="subtle" color="gray" size="compact-xs" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Less" : "More"}
        </Button>
      )}
    </div>
  );
}
