import { ActionIcon, Button, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { isObject, JsonObject, type JsonValue } from "../../utils/json";
import { child } from "../../utils/jsonpointer";
import { visibleText } from "../../utils/visible";
import { useChunk } from "./chunk";
import { type FieldProps, useErrors, useFrame, useUnfinished } from "./context";
import { fieldId } from "./errors";
import { Field } from "./Field";
import { focusSoon } from "./focus";
import classes from "./form.module.css";
import { GroupFrame } from "./GroupFrame";
import { initialValue, rowValue } from "./initial";
import type { ObjectNode } from "./node";

export function ObjectField({ field, node }: { field: FieldProps; node: ObjectNode }) {
  const { store, doc } = useFrame();
  const { pointer, schema, value } = field;
  const make = () => {
    const start = initialValue(doc, schema);
    store.update(pointer, store.recall<JsonValue>(`left:${pointer}`) ?? (isObject(start) ? start : JsonObject.empty));
  };
  const declared = node.properties.length;
  return (
    <GroupFrame field={field} node={node} make={{ label: "Set", run: make }} count={declared === 0 && isObject(value) ? countWord(value.size) : ""}>
      {isObject(value) && <Members field={field} node={node} value={value} />}
    </GroupFrame>
  );
}

function countWord(size: number): string {
  return size === 1 ? "1 entry" : `${size} entries`;
}

/** The declared members of an object in the schema's order, then the others it holds. */
export function Members({ field, node, value }: { field: FieldProps; node: ObjectNode; value: JsonObject }) {
  const { pointer, depth } = field;
  const errors = useErrors();
  const must = node.properties.findLastIndex((property) => errors.within(child(pointer, property.key)));
  const { shown, sentinel } = useChunk(node.properties.length, must);
  return (
    <div className={classes["stack"]}>
      {node.properties.slice(0, shown).map(({ key, schema, required }) => (
        <Field
          key={key}
          schema={schema}
          pointer={child(pointer, key)}
          name={key}
          value={value.get(key)}
          presence={required ? "required" : "optional"}
          depth={depth + 1}
        />
      ))}
      {shown < node.properties.length && (
        <div ref={sentinel} className={classes["more"]}>
          {node.properties.length - shown} more fields
        </div>
      )}
      {shown === node.properties.length && <Entries field={field} node={node} value={value} />}
      {node.ruled && <div className={classes["help"]}>Some fields depend on others. That is checked before the call is proposed.</div>}
    </div>
  );
}

/** The members that the schema does not name: entries of a map, or strays that came in as JSON. */
function Entries({ field, node, value }: { field: FieldProps; node: ObjectNode; value: JsonObject }) {
  const { store, doc, prefix, readOnly } = useFrame();
  const { pointer, depth } = field;
  const declared = new Set(node.properties.map((property) => property.key));
  const keys = value.keys().filter((key) => !declared.has(key));
  const rows = store.rows(`${pointer}/*`, keys.length);
  const add = () => {
    let key = "entry";
    for (let n = 2; value.has(key); n++) key = `entry-${n}`;
    store.update(child(pointer, key), rowValue(doc, node.extra));
    focusSoon(`${fieldId(prefix, child(pointer, key))}-name`, true);
  };
  if (keys.length === 0 && (!node.open || readOnly)) return null;
  return (
    <div className={classes["entries"]}>
      {keys.map((key, at) => (
        <div key={rows[at]} className={classes["entry"]}>
          <EntryName pointer={pointer} name={key} taken={(name) => value.has(name)} />
          <div className={classes["entryValue"]}>
            <Field schema={node.extra} pointer={child(pointer, key)} name={key} value={value.get(key)} presence="row" depth={depth + 1} bare />
          </div>
          {!readOnly && (
            <ActionIcon className={classes["entryRemove"]} variant="subtle" color="gray" size={22} aria-label={`Remove ${visibleText(key)}`} onClick={() => store.update(child(pointer, key), undefined)}>
              <IconX size={14} aria-hidden />
            </ActionIcon>
          )}
        </div>
      ))}
      {node.open && !readOnly && (
        <div>
          <Button variant="default" size="compact-xs" leftSection={<IconPlus size={12} aria-hidden />} onClick={add}>
            Add an entry
          </Button>
        </div>
      )}
    </div>
  );
}

function EntryName({ pointer, name, taken }: { pointer: string; name: string; taken: (name: string) => boolean }) {
  const { store, prefix, readOnly } = useFrame();
  const [draft, setDraft] = useState<string | null>(null);
  const here = child(pointer, name);
  const clash = draft !== null && draft !== name ? "This key is taken." : undefined;
  useUnfinished(`${here}/~name`, clash);
  const change = (typed: string) => {
    if (typed !== name && taken(typed)) {
      setDraft(typed);
      return;
    }
    setDraft(null);
    store.setUnfinished(`${here}/~name`, undefined);
    store.rename(pointer, name, typed);
  };
  return (
    <TextInput
      id={`${fieldId(prefix, here)}-name`}
      className={classes["entryName"]}
      classNames={{ input: classes["mono"] ?? "" }}
      aria-label={`Key of ${visibleText(name)}`}
      value={draft ?? name}
      error={clash}
      readOnly={readOnly}
      size="xs"
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
