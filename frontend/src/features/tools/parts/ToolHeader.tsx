import { ActionIcon } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import type { ToolDetail } from "../../../api/types";
import { Seen } from "../../../components/jsonview";
import { Claims, Description, ToolIcon } from "../../../components/tool";
import { exactly } from "../../../utils/time";
import { freshnessWords } from "../when";
import classes from "./tools.module.css";

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
            {detail.reviewed !== "" && summary.change === "" && <span title={exactly(detail.reviewed)}>, reviewed</span>}
          </div>
        </div>
      </div>
      <Description key={summary.description} text={summary.description} otherwise="Its server does not describe it." />
      <Claims of={summary.annotations} />
    </header>
  );
}
