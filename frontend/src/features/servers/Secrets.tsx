import { Button, Popover } from "@mantine/core";
import { useState } from "react";
import type { SecretInfo } from "../../api/types";
import { Seen } from "../../components/jsonview";
import { Section } from "../../components/ui";
import { useBackend } from "../../state/backend";
import { useToasts } from "../../state/toasts";
import { SecretFields } from "./fields";
import classes from "./servers.module.css";

/** The secrets that a server's settings name, without their values. */
export function Secrets({ serverId, secrets }: { serverId: string; secrets: readonly SecretInfo[] }) {
  return (
    <Section title="Secrets">
      <ul className={classes["secrets"]}>
        {secrets.map((secret) => (
          <SecretLine key={secret.name} serverId={serverId} secret={secret} />
        ))}
      </ul>
    </Section>
  );
}

function SecretLine({ serverId, secret }: { serverId: string; secret: SecretInfo }) {
  const backend = useBackend();
  const { fail, show } = useToasts();
  const [open, setOpen] = useState(false);
  const [sure, setSure] = useState(false);
  const store = async (name: string, value: string) => {
    setOpen(false);
    try {
      const found = await backend.servers.setSecret(serverId, name, value);
      for (const one of found) show({ text: one.message, bad: !one.warning });
      if (found.every((one) => one.warning)) show({ text: `The secret ${name} was stored.` });
    } catch (thrown) {
      fail(thrown);
    }
  };
  const remove = () => {
    setSure(false);
    backend.servers.deleteSecret(serverId, secret.name).catch(fail);
  };
  return (
    <li>
      <div className={classes["row"]}>
        <code>
          <Seen text={secret.name} />
        </code>
        <span className={secret.stored ? classes["quiet"] : classes["warning"]}>
          {secret.stored ? (secret.weak ? "stored; too short to be found inside other text" : "stored") : "not stored: the server cannot start without it"}
        </span>
        <Popover opened={open} onChange={setOpen} trapFocus withRoles={false} position="bottom-end" shadow="md" transitionProps={{ duration: 0 }}>
          <Popover.Target>
            <Button size="compact-xs" variant="default" aria-expanded={open} aria-label={`Set the value of ${secret.name}`} onClick={() => setOpen(!open)}>
              Set value
            </Button>
          </Popover.Target>
          <Popover.Dropdown>{open && <SecretFields suggestion={secret.name} fixedName action="Store it" onCancel={() => setOpen(false)} onUse={(name, value) => void store(name, value)} />}</Popover.Dropdown>
        </Popover>
        {secret.stored &&
          (sure ? (
            <>
              <Button size="compact-xs" variant="outline" color="red" classNames={{ root: classes["remove"] ?? "" }} aria-label={`Delete ${secret.name} for good`} onClick={remove}>
                Delete for good
              </Button>
              <Button size="compact-xs" variant="default" aria-label={`Keep ${secret.name}`} onClick={() => setSure(false)}>
                Keep
              </Button>
            </>
          ) : (
            <Button size="compact-xs" variant="default" aria-label={`Delete ${secret.name}`} onClick={() => setSure(true)}>
              Delete…
            </Button>
          ))}
      </div>
    </li>
  );
}
