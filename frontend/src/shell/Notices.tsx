import { ActionIcon } from "@mantine/core";
import { IconAlertTriangle, IconCircleX, IconInfoCircle, IconX } from "@tabler/icons-react";
import type { Notice } from "../api/types";
import { Seen } from "../components/jsonview";
import { useBackend } from "../state/backend";
import { useDesk } from "../state/desk";
import { useToasts } from "../state/toasts";
import classes from "./shell.module.css";

const SIGNS = { info: IconInfoCircle, warning: IconAlertTriangle, error: IconCircleX } as const;
const WORDS = { info: "Note", warning: "Warning", error: "Error" } as const;

/** What a person must know and no call reports. */
export function Notices() {
  const { hello } = useDesk();
  if (hello.notices.length === 0) return null;
  return (
    <section aria-label="Notices" className={classes["notices"]}>
      {hello.notices.map((notice) => (
        <NoticeLine key={notice.id} notice={notice} />
      ))}
    </section>
  );
}

function NoticeLine({ notice }: { notice: Notice }) {
  const backend = useBackend();
  const { fail } = useToasts();
  const Sign = SIGNS[notice.level] ?? IconInfoCircle;
  return (
    <div className={classes["notice"]} data-level={notice.level}>
      <Sign size={16} aria-label={WORDS[notice.level] ?? "Note"} />
      <span className={classes["noticeText"]}>
        <Seen text={`${notice.text} ${notice.hint}`.trim()} />
      </span>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Dismiss: ${notice.text.slice(0, 60)}`} onClick={() => void backend.settings.dismissNotice(notice.id).catch(fail)}>
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </div>
  );
}
