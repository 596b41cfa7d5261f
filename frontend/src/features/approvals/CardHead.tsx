import { Button } from "@mantine/core";
import { useState } from "react";
import type { CardView } from "../../api/types";
import { Seen } from "../../components/jsonview";
import { BackButton } from "../../components/ui";
import { visibleText } from "../../utils/visible";
import { ToolIcon } from "../tools/parts/ToolIcon";
import classes from "./approvals.module.css";

const FOLD_FROM = 160;

/** Who wants what. */
export function CardHead({ card, onBack }: { card: CardView; onBack: () => void }) {
  const { call, server, origin } = card;
  const title = card.toolTitle === "" ? call.tool : card.toolTitle;
  return (
    <header className={classes["head"]}>
      <p className={classes["who"]}>
        <b>
          <Seen text={origin.text} />
        </b>{" "}
        <span className={classes["mark"]}>{origin.proven ? "proven" : "only claimed"}</span> {origin.kind === "person" ? "want" : "wants"} to call
        {card.revision > 1 && <span className={classes["mark"]}>revision {card.revision}</span>}
      </p>
      <div className={classes["headRow"]}>
        <BackButton onBack={onBack} />
        <ToolIcon icon={call.icon} name={title} hue={call.hue} size={36} />
        <div className={classes["titles"]}>
          <h2 className={classes["title"]}>
            <Seen text={title} />
          </h2>
          <p className={classes["quiet"]}>
            <code>
              <Seen text={call.tool} />
            </code>{" "}
            on <Seen text={server.name} />
            {server.state !== "running" && `, which is not running`}
          </p>
        </div>
      </div>
      <Description key={card.toolDescription} text={card.toolDescription} />
      {card.annotations.length > 0 && (
        <p className={classes["claims"]}>
          Server says:{" "}
          {card.annotations.map((annotation, at) => (
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
  if (text === "") return null;
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
