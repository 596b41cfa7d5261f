import { Button } from "@mantine/core";
import { IconListDetails } from "@tabler/icons-react";
import type { ListView } from "../../api/types";
import { Seen } from "../../components/jsonview";
import { Tone } from "../../components/ui";
import ui from "../../components/ui/ui.module.css";
import { useBackend } from "../../state/backend";
import { useToasts } from "../../state/toasts";
import classes from "./lists.module.css";
import { listItem, listSummary } from "./listwords";

/** Has the person choose a call list in the system's dialog, and goes to it. */
export function OpenList({ onSelect }: { onSelect: (key: string) => void }) {
  const backend = useBackend();
  const { fail } = useToasts();
  const open = async () => {
    try {
      const { id } = await backend.lists.open();
      if (id !== "") onSelect(listItem(id));
    } catch (thrown) {
      fail(thrown);
    }
  };
  return (
    <Button variant="default" size="compact-xs" onClick={() => void open()}>
      Open a call list…
    </Button>
  );
}

/** The call lists that are open, above the queue. */
export function ListRows({ lists, selected, onSelect }: { lists: readonly ListView[]; selected: string; onSelect: (key: string) => void }) {
  if (lists.length === 0) return null;
  return (
    <ul aria-label="Call lists" className={classes["lists"]}>
      {lists.map((list) => (
        <li key={list.id}>
          <button type="button" className={ui["listRow"]} aria-current={listItem(list.id) === selected ? "true" : undefined} onClick={() => onSelect(listItem(list.id))}>
            <IconListDetails size={20} stroke={1.5} aria-hidden />
            <span className={classes["words"]}>
              <span className={classes["name"]}>
                <Seen text={list.name} />
              </span>
              <span className={classes["quiet"]}>{listSummary(list)}</span>
            </span>
            {list.problem !== "" && <Tone tone="bad" word="Stopped" />}
          </button>
        </li>
      ))}
    </ul>
  );
}
