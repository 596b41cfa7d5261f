import { ActionIcon, Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { RootView } from "../../api/types";
import { Seen } from "../../components/jsonview";
import { Section } from "../../components/ui";
import { useBackend } from "../../state/backend";
import { useToasts } from "../../state/toasts";
import { visibleText } from "../../utils/visible";
import classes from "./servers.module.css";

/** The folders that a person opened to a server. */
export function Roots({ serverId, roots }: { serverId: string; roots: readonly RootView[] }) {
  const backend = useBackend();
  const { fail } = useToasts();
  return (
    <Section title="Folders">
      <p className={classes["help"]}>
        {roots.length === 0 ? "None is told to this server." : "This server is told these folders when it asks where to work."} It is a hint and no fence: what a server can reach does not change.
      </p>
      {roots.length > 0 && (
        <ul aria-label="Folders" className={classes["roots"]}>
          {roots.map((root) => (
            <li key={root.path} className={classes["row"]}>
              <span className={classes["path"]}>
                <Seen text={root.path} />
              </span>
              {root.fault !== "" && <span className={classes["warning"]}>{root.fault}; left out</span>}
              <ActionIcon
                className={classes["rowButton"]}
                variant="subtle"
                color="gray"
                size={30}
                aria-label={`Remove ${visibleText(root.path)}`}
                onClick={() => void backend.servers.removeRoot(serverId, root.path).catch(fail)}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button variant="default" size="xs" onClick={() => void backend.servers.addRoot(serverId).catch(fail)}>
          Open a folder…
        </Button>
      </div>
    </Section>
  );
}
