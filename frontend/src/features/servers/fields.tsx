import { ActionIcon, Button, PasswordInput, Popover, TextInput } from "@mantine/core";
import { IconKey, IconX } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import type { Var } from "../../api/types";
import classes from "./servers.module.css";

/** Finds what is wrong at a field; undefined for nothing. */
export type ProblemAt = (field: string) => string | undefined;

/** Takes a secret to be stored once the server is saved. */
export type KeepSecret = (name: string, value: string) => void;

const NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/** The words of a list, each in a field of its own, so that nothing is split or quoted. */
export function ArgumentList({ values, onChange, problemAt, onSecret }: { values: readonly string[]; onChange: (next: string[]) => void; problemAt: ProblemAt; onSecret: KeepSecret }) {
  const set = (at: number, text: string) => onChange(values.map((value, i) => (i === at ? text : value)));
  return (
    <fieldset className={classes["group"]}>
      <legend>Arguments</legend>
      {values.map((value, at) => (
        <div key={at} className={classes["rowField"]}>
          <TextInput
            className={classes["grow"]}
            aria-label={`Argument ${at + 1}`}
            value={value}
            error={problemAt(`args.${at}`)}
            autoComplete="off"
            spellCheck={false}
            classNames={{ input: classes["mono"] ?? "" }}
            onChange={(event) => set(at, event.currentTarget.value)}
          />
          <SecretButton label={`argument ${at + 1}`} suggestion="" onUse={(name, secret) => { set(at, value + mark(name)); onSecret(name, secret); }} />
          <RemoveButton label={`Remove argument ${at + 1}`} onClick={() => onChange(values.filter((_, i) => i !== at))} />
        </div>
      ))}
      <div>
        <Button variant="default" size="xs" onClick={() => onChange([...values, ""])}>
          Add an argument
        </Button>
      </div>
      <p className={classes["help"]}>One word each, as the program receives it: no quotes are needed.</p>
    </fieldset>
  );
}

export interface VarRowsProps {
  title: string;
  /** "variable" or "header". */
  one: string;
  field: "env" | "headers";
  help: string;
  values: readonly Var[];
  onChange: (next: Var[]) => void;
  problemAt: ProblemAt;
  onSecret: KeepSecret;
}

/** Named values, a row each. */
export function VarRows({ title, one, field, help, values, onChange, problemAt, onSecret }: VarRowsProps) {
  const set = (at: number, part: Partial<Var>) => onChange(values.map((value, i) => (i === at ? { ...value, ...part } : value)));
  return (
    <fieldset className={classes["group"]}>
      <legend>{title}</legend>
      {values.map((value, at) => (
        <div key={at} className={classes["rowField"]}>
          <TextInput
            className={classes["varName"]}
            aria-label={`Name of ${one} ${at + 1}`}
            placeholder="NAME"
            value={value.name}
            error={problemAt(`${field}.${at}.name`)}
            autoComplete="off"
            spellCheck={false}
            classNames={{ input: classes["mono"] ?? "" }}
            onChange={(event) => set(at, { name: event.currentTarget.value })}
          />
          <TextInput
            className={classes["grow"]}
            aria-label={`Value of ${one} ${at + 1}`}
            placeholder="value"
            value={value.value}
            error={problemAt(`${field}.${at}.value`) ?? problemAt(`${field}.${at}`)}
            autoComplete="off"
            spellCheck={false}
            classNames={{ input: classes["mono"] ?? "" }}
            onChange={(event) => set(at, { value: event.currentTarget.value })}
          />
          <SecretButton
            label={`the value of ${one} ${at + 1}`}
            suggestion={value.name}
            onUse={(name, secret) => {
              set(at, { value: value.value + mark(name) });
              onSecret(name, secret);
            }}
          />
          <RemoveButton label={`Remove ${one} ${at + 1}`} onClick={() => onChange(values.filter((_, i) => i !== at))} />
        </div>
      ))}
      <div>
        <Button variant="default" size="xs" onClick={() => onChange([...values, { name: "", value: "" }])}>
          Add a {one}
        </Button>
      </div>
      <p className={classes["help"]}>{help}</p>
    </fieldset>
  );
}

function mark(name: string): string {
  return `\${secret:${name}}`;
}

function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon className={classes["rowButton"]} variant="subtle" color="gray" size={30} aria-label={label} onClick={onClick}>
      <IconX size={16} aria-hidden />
    </ActionIcon>
  );
}

/** Puts a secret's name into a field. The value goes to the keyring when the server is saved, and never comes back. */
function SecretButton({ label, suggestion, onUse }: { label: string; suggestion: string; onUse: KeepSecret }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover opened={open} onChange={setOpen} trapFocus withRoles={false} position="bottom-end" shadow="md" transitionProps={{ duration: 0 }}>
      <Popover.Target>
        <ActionIcon
          className={classes["rowButton"]}
          variant="subtle"
          color="gray"
          size={30}
          aria-label={`Use a secret in ${label}`}
          title="Use a secret"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <IconKey size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        {open && (
          <SecretFields
            suggestion={suggestion.replace(/[^A-Za-z0-9_.-]/g, "_").slice(0, 64)}
            onCancel={() => setOpen(false)}
            onUse={(name, value) => {
              setOpen(false);
              onUse(name, value);
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

export function SecretFields({ suggestion, fixedName = false, action = "Use it", onUse, onCancel }: { suggestion: string; fixedName?: boolean; action?: string; onUse: KeepSecret; onCancel: () => void }) {
  const [name, setName] = useState(suggestion);
  const [value, setValue] = useState("");
  const [tried, setTried] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (NAME.test(name) && (value !== "" || !fixedName)) onUse(name, value);
  };
  return (
    <form className={classes["secret"]} aria-label="A secret" onSubmit={submit}>
      {!fixedName && (
        <TextInput
          label="Secret's name"
          value={name}
          error={tried && !NAME.test(name) ? "1 to 64 letters, digits, points, hyphens or underscores" : undefined}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <PasswordInput
        label={fixedName ? `New value of ${name}` : "Value"}
        description={fixedName ? undefined : "Leave it empty where this server has a secret of that name already."}
        value={value}
        error={tried && fixedName && value === "" ? "The secret is empty" : undefined}
        autoComplete="off"
        visibilityToggleButtonProps={{ "aria-label": "Show the value", tabIndex: 0, "aria-hidden": false }}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <div className={classes["row"]}>
        <Button size="xs" type="submit">
          {action}
        </Button>
        <Button size="xs" variant="default" onClick={onCancel}>
          Discard
        </Button>
      </div>
    </form>
  );
}
