import type { CardView } from "../../api/types";
import { Seen } from "../../components/jsonview";
import { Claims, Description, ToolIcon } from "../../components/tool";
import { BackButton } from "../../components/ui";
import classes from "./approvals.module.css";

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
      <Claims of={card.annotations} />
    </header>
  );
}
