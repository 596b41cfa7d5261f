import { Button } from "@mantine/core";
import { useId, useRef, useState } from "react";
import type { CardView, FieldError } from "../../api/types";
import { Difference } from "../../components/difference";
import { BytesBox, Seen } from "../../components/jsonview";
import { SchemaForm } from "../../components/schemaform";
import { Findings } from "../../components/tool";
import { Section } from "../../components/ui";
import ui from "../../components/ui/ui.module.css";
import { useBackend } from "../../state/backend";
import { fromCall, type Navigate } from "../../state/route";
import { usePersisted } from "../../state/persisted";
import { useToasts } from "../../state/toasts";
import { AnswerBar } from "./AnswerBar";
import classes from "./approvals.module.css";
import { CardHead } from "./CardHead";
import { useKeys, useTriage } from "../../state/keys";
import { useShown } from "./useShown";

/** An edit of a card's arguments that is not saved yet. */
interface Draft {
  callId: string;
  revision: number;
  text: string;
}

const NO_DRAFT: Draft = { callId: "", revision: 0, text: "" };

/** One card, read from top to bottom as a sentence, with the answers below. */
export function CardPane({ card, onBack, onNavigate }: { card: CardView; onBack: () => void; onNavigate: Navigate }) {
  const backend = useBackend();
  const box = useRef<HTMLDivElement>(null);
  const { call, revision } = card;
  const shown = useShown(`${call.id} ${revision}`, box, () => backend.approvals.shown(call.id, revision));
  const [draft, setDraft] = usePersisted<Draft>("approvals:edit", NO_DRAFT);
  const editing = draft.callId === call.id && draft.revision === revision;
  const fixed = editReason(card);
  const edit = () => setDraft({ callId: call.id, revision, text: card.args.text });
  const remember = () => onNavigate("rules", fromCall(call.id));
  const [triage] = useTriage();
  useKeys(triage && !editing, { ...(fixed === "" ? { e: edit } : {}), m: remember });
  return (
    <div className={ui["pane"]}>
      <div ref={box} className={ui["scroll"]} tabIndex={0} role="region" aria-label="The call that waits">
        <CardHead card={card} onBack={onBack} />
        {card.why !== "" && (
          <p className={classes["quiet"]}>
            <Seen text={card.why} />
          </p>
        )}
        {card.unchecked !== "" && (
          <Section title="What the tool is may have changed">
            <Seen text={card.unchecked} />
          </Section>
        )}
        {card.redefined !== null && (
          <Section title={`The tool's definition changed since ${card.redefined.since}`}>
            <Difference of={card.redefined} />
          </Section>
        )}
        {editing ? (
          <ArgumentsEditor card={card} text={draft.text} onText={(text) => setDraft({ callId: call.id, revision, text })} onDone={() => setDraft(NO_DRAFT)} />
        ) : (
          <Section
            title="With exactly this"
            aside={
              fixed === "" ? (
                <Button variant="default" size="compact-xs" onClick={edit}>
                  Edit arguments
                </Button>
              ) : (
                <span className={classes["quiet"]}>{fixed}</span>
              )
            }
          >
            <BytesBox key={card.hash} bytes={card.args} load={backend.payload} label="The arguments that will be sent" start="lines" />
          </Section>
        )}
        {card.rearranged !== null && (
          <Section title={`Compared with ${card.rearranged.since}`}>
            {card.rearranged.changes.length === 0 && card.rearranged.problem === "" ? (
              <p className={classes["quiet"]}>The arguments are the same.</p>
            ) : (
              <Difference of={card.rearranged} />
            )}
          </Section>
        )}
        {card.headers.length > 0 && <MirroredHeaders card={card} />}
        <Unusual card={card} />
        <div className={classes["row"]}>
          <Button variant="subtle" size="compact-sm" onClick={remember}>
            Make a rule for calls like this
          </Button>
          {card.change !== "" && (
            <Button variant="subtle" size="compact-sm" onClick={() => onNavigate("tools", JSON.stringify([call.serverId, call.tool]))}>
              {card.change === "new" ? "Review the tool's definition" : "Review what changed in the definition"}
            </Button>
          )}
        </div>
      </div>
      {!editing && <AnswerBar card={card} shown={shown} />}
    </div>
  );
}

function editReason({ args }: CardView): string {
  if (args.masked > 0) return "Not editable here: they hold a secret.";
  return args.handle === "" ? "" : "Too large to edit here.";
}

interface EditorProps {
  card: CardView;
  text: string;
  onText: (text: string) => void;
  onDone: () => void;
}

function ArgumentsEditor({ card, text, onText, onDone }: EditorProps) {
  const backend = useBackend();
  const { show, fail } = useToasts();
  const prefix = useId();
  const [valid, setValid] = useState(true);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<readonly FieldError[]>(NONE);
  const save = async () => {
    setBusy(true);
    try {
      const result = await backend.approvals.edit(card.call.id, card.revision, text);
      setErrors(result.errors);
      if (result.errors.length === 0) {
        show({ text: "The card has new arguments. Read it again before you answer." });
        onDone();
      }
    } catch (thrown) {
      fail(thrown);
    }
    setBusy(false);
  };
  return (
    <Section title="Edit the arguments">
      <div className={classes["editor"]}>
        <SchemaForm
          schemaText={card.inputSchema}
          valueText={text}
          onChange={(next, ok) => {
            setValid(ok);
            if (next !== text) onText(next);
          }}
          errors={errors}
          idPrefix={prefix}
        />
        <div className={classes["row"]}>
          <Button disabled={!valid} loading={busy} onClick={() => void save()}>
            Use these arguments
          </Button>
          <Button variant="default" onClick={onDone}>
            Discard the edit
          </Button>
          <span className={classes["quiet"]}>{valid ? "The card then asks anew." : "Something is unfinished."}</span>
        </div>
      </div>
    </Section>
  );
}

const NONE: readonly FieldError[] = [];

function MirroredHeaders({ card }: { card: CardView }) {
  return (
    <Section title="Also sent as HTTP headers">
      <dl className={classes["pairs"]}>
        {card.headers.map((header, at) => (
          <div key={at}>
            <dt>
              <Seen text={header.name} />
            </dt>
            <dd>
              <Seen text={header.value} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** What a person should look at twice. */
function Unusual({ card }: { card: CardView }) {
  const { findings, notes, schemaErrors } = card;
  return (
    <Section title="What is unusual">
      {findings.length === 0 && notes.length === 0 && schemaErrors.length === 0 && <p className={classes["quiet"]}>Nothing that Countersign knows of.</p>}
      <Findings of={findings} />
      {notes.length > 0 && (
        <ul className={classes["notes"]}>
          {notes.map((note, at) => (
            <li key={at}>
              <Seen text={note} />
            </li>
          ))}
        </ul>
      )}
      {schemaErrors.length > 0 && (
        <div className={classes["mismatch"]}>
          <p>The arguments do not fit the schema that the tool declares:</p>
          <ul className={classes["notes"]}>
            {schemaErrors.map((one, at) => (
              <li key={at}>
                <Seen text={one.pointer === "" ? one.message : `${one.pointer}: ${one.message}`} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </Section>
  );
}
