import { ActionIcon, Menu, VisuallyHidden } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { isArray, type JsonValue } from "../../utils/json";
import { sameJson } from "../../utils/jsonequal";
import { previewJson } from "../../utils/jsonwrite";
import { visibleText } from "../../utils/visible";
import { Seen } from "../jsonview/Seen";
import { type FieldProps, useErrors, useFrame } from "./context";
import { fieldId } from "./errors";
import classes from "./form.module.css";
import type { FieldNode } from "./node";

export interface Act {
  label: string;
  run: () => void;
}

/** Ids of the parts of a field, for its input and the texts that describe it. */
export function useFieldIds(pointer: string, suffix = ""): { input: string; label: string; help: string } {
  const { prefix } = useFrame();
  const input = fieldId(prefix, pointer) + suffix;
  return { input, label: `${input}-label`, help: `${input}-help` };
}

/**
 * Ties an input to its help. Mantine's inputs overwrite a plain
 * aria-describedby with their own wrapper's, so it goes in as a part's attribute.
 */
export function describedBy(id: string): { input: { "aria-describedby": string } } {
  return { input: { "aria-describedby": id } };
}

/** Messages of a field that draws nothing inside itself: also those about places inside it. */
export function useMessages(pointer: string, unfinished?: string): string[] {
  const found = useErrors().under(pointer);
  return found.length > 0 || unfinished === undefined ? found : [unfinished];
}

/** What can be chosen for a field beside typing a value: nothing at all, the empty text or list, null, the default. */
export function useActs({ pointer, value, presence }: FieldProps, node: FieldNode): Act[] {
  const { store, readOnly } = useFrame();
  if (readOnly) return [];
  const acts: Act[] = [];
  const set = (label: string, to: JsonValue | undefined) => acts.push({ label, run: () => store.update(pointer, to) });
  if (presence === "optional" && value !== undefined) {
    acts.push({
      label: "Leave out",
      run: () => {
        if (value !== null) store.remember(`left:${pointer}`, value);
        store.update(pointer, undefined);
      },
    });
  }
  if (node.kind === "text" && value !== "" && (presence === "optional" || value === null || value === undefined)) set("Set to the empty text", "");
  if (node.kind === "list" && !(isArray(value) && value.length === 0)) set("Set to the empty list", []);
  if (node.nullable && value !== null) set("Set to null", null);
  const preset = node.default;
  if (preset !== undefined && preset !== null && (value === undefined || !sameJson(preset, value))) {
    set(`Set to the default, ${previewJson(preset, 30)}`, preset);
  }
  return acts;
}

/** The small menu with what can be chosen beside typing. */
export function ActsMenu({ acts, label }: { acts: readonly Act[]; label: string }) {
  if (acts.length === 0) return null;
  return (
    <Menu position="bottom-end" withinPortal transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={20} aria-label={`More for ${visibleText(label)}`}>
          <IconDots size={14} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {acts.map((act) => (
          <Menu.Item key={act.label} onClick={act.run}>
            <Seen text={act.label} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The word beside the label for a value that looks like none. */
export function stateWord(value: JsonValue | undefined, kind: FieldNode["kind"]): string {
  if (value === null && kind !== "choice" && kind !== "boolean") return "null";
  if (value === "" && kind === "text") return "empty text";
  if (isArray(value) && value.length === 0) return "empty list";
  return "";
}

export interface FieldFrameProps {
  field: FieldProps;
  node: FieldNode;
  messages: readonly string[];
  /** The label belongs to one input; without it to a group of them. */
  single?: boolean;
  /** Stands between input and help, for instance a warning. */
  note?: ReactNode;
  children: ReactNode;
}

/** Label above, the input, and below it the help or, in its place, what is wrong. */
export function FieldFrame({ field, node, messages, single = true, note, children }: FieldFrameProps) {
  const ids = useFieldIds(field.pointer);
  const acts = useActs(field, node);
  const name = node.title === "" ? field.name : node.title;
  const word = field.presence === "required" ? "" : stateWord(field.value, node.kind);
  const menu = <ActsMenu acts={acts} label={name} />;
  const label = <FieldLabel id={ids.label} name={name} required={field.presence === "required"} htmlFor={single ? ids.input : undefined} />;
  const below = (
    <>
      {note}
      <FieldHelp id={ids.help} node={node} messages={messages} />
    </>
  );
  if (field.bare === true) {
    return (
      <div className={classes["bare"]}>
        <VisuallyHidden>{label}</VisuallyHidden>
        <div className={classes["inputRow"]}>
          <div className={classes["grow"]}>{children}</div>
          {menu}
        </div>
        {below}
      </div>
    );
  }
  return (
    <div className={classes["field"]}>
      <div className={classes["labelRow"]}>
        {label}
        <FieldKey name={name} field={field} />
        {word !== "" && <span className={classes["state"]}>{word}</span>}
        <span className={classes["acts"]}>{menu}</span>
      </div>
      {children}
      {below}
    </div>
  );
}

/** The name of a field or group; of one input when `htmlFor` is given. */
export function FieldLabel({ id, name, required, htmlFor }: { id: string; name: string; required: boolean; htmlFor?: string | undefined }) {
  const content = (
    <>
      <Seen text={name} />
      {required && (
        <span className={classes["required"]} title="Required">
          <span aria-hidden> *</span>
          <VisuallyHidden> (required)</VisuallyHidden>
        </span>
      )}
    </>
  );
  return htmlFor === undefined ? (
    <span className={classes["label"]} id={id}>
      {content}
    </span>
  ) : (
    <label className={classes["label"]} id={id} htmlFor={htmlFor}>
      {content}
    </label>
  );
}

/** The key beside a title that hides it. */
export function FieldKey({ name, field }: { name: string; field: FieldProps }) {
  if (name === field.name || field.presence === "row") return null;
  return (
    <code className={classes["key"]}>
      <Seen text={field.name} />
    </code>
  );
}

/** Description and expectations of a field, or the messages in their place. */
export function FieldHelp({ id, node, messages }: { id: string; node: Pick<FieldNode, "description" | "hints">; messages: readonly string[] }) {
  if (messages.length > 0) {
    return (
      <div id={id} className={classes["error"]}>
        {messages.map((message, at) => (
          <div key={at}>
            <Seen text={message} />
          </div>
        ))}
      </div>
    );
  }
  const hints = node.hints.join(", ");
  return (
    <div id={id} className={classes["help"]}>
      {node.description !== "" && <Seen text={node.description} lines />}
      {node.description !== "" && hints !== "" && " "}
      {hints !== "" && <Seen text={`${hints.slice(0, 1).toUpperCase()}${hints.slice(1)}.`} />}
    </div>
  );
}
