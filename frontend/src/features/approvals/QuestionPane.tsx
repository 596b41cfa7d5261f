import { Button } from "@mantine/core";
import { useId, useRef, useState } from "react";
import { faultOf } from "../../api/errors";
import type { FieldError, QuestionView } from "../../api/types";
import { Seen } from "../../components/jsonview";
import { initialText, SchemaForm } from "../../components/schemaform";
import { ToolIcon } from "../../components/tool";
import { BackButton, Section } from "../../components/ui";
import ui from "../../components/ui/ui.module.css";
import { useBackend } from "../../state/backend";
import { useDesk } from "../../state/desk";
import classes from "./approvals.module.css";
import { useShown } from "./useShown";

// What was typed into a question outlives a look at another screen. It is not kept on disk: it is the server's to ask
// and the person's to give, and the question itself does not outlive the program.
const drafts = new Map<string, string>();

/** What a server asks in the middle of a call, with the ways to answer. */
export function QuestionPane({ question, onBack }: { question: QuestionView; onBack: () => void }) {
  const backend = useBackend();
  const { questions } = useDesk();
  const box = useRef<HTMLDivElement>(null);
  const shown = useShown(question.id, box, () => backend.questions.shown(question.id));
  const [text, setText] = useState(() => drafts.get(question.id) ?? initialText(question.schema));
  const [valid, setValid] = useState(false);
  const [errors, setErrors] = useState<readonly FieldError[]>(NONE);
  const [busy, setBusy] = useState("");
  const prefix = useId();
  const [problem, setProblem] = useState("");

  const act = async (what: string, go: () => Promise<readonly FieldError[]>) => {
    setBusy(what);
    setProblem("");
    try {
      const found = await go();
      setErrors(found);
      if (found.length === 0) {
        drafts.delete(question.id);
        questions.refresh();
      } else if (found.some((one) => one.pointer === "")) setProblem(found.map((one) => one.message).join(" "));
    } catch (thrown) {
      const { message, hint } = faultOf(thrown);
      setProblem(`${message} ${hint}`.trim());
    }
    setBusy("");
  };
  const answer = (action: "accept" | "decline" | "cancel") =>
    act(action, () => backend.questions.answer({ id: question.id, action, contentText: action === "accept" && question.mode === "form" ? text : "" }));
  const submit = () => {
    if (valid) void answer("accept");
    else setProblem("Something is unfinished. The fields that need you say so.");
  };
  const open = () =>
    act("open", async () => {
      await backend.questions.open(question.id);
      return NONE;
    });
  const off = !shown.ready || busy !== "";
  return (
    <div className={ui["pane"]}>
      <div ref={box} className={ui["scroll"]} tabIndex={0} role="region" aria-label="The question of a server">
        <QuestionHead question={question} onBack={onBack} />
        {question.problem !== "" ? (
          <p className={classes["mismatch"]}>
            It cannot be answered: <Seen text={question.problem} /> Decline or cancel it.
          </p>
        ) : question.mode === "url" ? (
          <Address question={question} />
        ) : question.mode === "resume" ? (
          <Section title="The call was not finished">
            <p>The server had only wanted to be asked again a little later; then Countersign was closed. Nothing was sent since.</p>
          </Section>
        ) : (
          <Section title="Your answer">
            <div className={classes["editor"]}>
              <SchemaForm
                flat
                schemaText={question.schema}
                valueText={text}
                onChange={(next, ok) => {
                  setValid(ok);
                  if (next === text) return;
                  setText(next);
                  setProblem("");
                  drafts.set(question.id, next);
                }}
                errors={errors}
                idPrefix={prefix}
              />
            </div>
          </Section>
        )}
      </div>
      <footer className={classes["bar"]}>
        <div className={classes["barWords"]} role="status" data-bad={problem !== ""}>
          <Seen text={problem === "" ? shown.problem : problem} />
        </div>
        <div className={classes["answers"]}>
          {question.mode === "resume" ? (
            <Button variant="outline" disabled={off} loading={busy === "cancel"} title="Ends the call; what the server did until now is not known" onClick={() => void answer("cancel")}>
              Stop the call
            </Button>
          ) : (
            <>
              <Button variant="outline" disabled={off} loading={busy === "cancel"} title="Closes the question without an answer; the server may ask again" onClick={() => void answer("cancel")}>
                Cancel
              </Button>
              <Button variant="outline" disabled={off} loading={busy === "decline"} title="Tells the server no" onClick={() => void answer("decline")}>
                Decline
              </Button>
            </>
          )}
          <span className={classes["gap"]} />
          {question.opened && question.problem === "" && (
            <Button variant="outline" disabled={off} loading={busy === "accept"} title="Does not open the address again" onClick={() => void answer("accept")}>
              Ask the server again
            </Button>
          )}
          {question.problem === "" && (
            <Button variant="outline" disabled={off} loading={busy === "open" || (busy === "accept" && !question.opened)} onClick={() => void { url: open, form: submit, resume: () => answer("accept") }[question.mode]()}>
              {{ url: question.opened ? "Open it again" : "Open in browser", form: "Submit", resume: "Ask the server again" }[question.mode]}
            </Button>
          )}
        </div>
      </footer>
    </div>
  );
}

const NONE: readonly FieldError[] = [];

function QuestionHead({ question, onBack }: { question: QuestionView; onBack: () => void }) {
  const { serverName, toolTitle, of, index, otherCalls } = question;
  return (
    <header className={classes["head"]}>
      <div className={classes["headRow"]}>
        <BackButton onBack={onBack} />
        <ToolIcon icon={question.icon} name={toolTitle === "" ? serverName : toolTitle} hue={question.hue} size={36} />
        <div className={classes["titles"]}>
          <h2 className={classes["title"]}>
            <Seen text={serverName} /> {question.mode === "resume" ? "waits to be asked again" : "asks you"}
          </h2>
          <p className={classes["quiet"]}>
            for <Seen text={toolTitle === "" ? "a running call" : toolTitle} />
            {of > 1 && `, question ${index} of ${of}`}
            {question.round > 1 && `, round ${question.round}`}
            {otherCalls > 0 && `; it may belong to ${otherCalls} other running ${otherCalls === 1 ? "call" : "calls"} instead`}
          </p>
        </div>
      </div>
      {question.message !== "" && (
        <p className={classes["said"]}>
          <span className={classes["quiet"]}>Server says: </span>
          <Seen text={question.message} lines />
        </p>
      )}
      {question.mode !== "resume" && <p className={classes["quiet"]}>What you submit goes to this server. Do not give it passwords or keys.</p>}
    </header>
  );
}

/** The whole address, never a link, with the host it leads to. */
function Address({ question }: { question: QuestionView }) {
  const { url, host, opened } = question;
  const at = host === "" ? -1 : hostAt(url, host);
  return (
    <Section title="It wants this address opened">
      <div className={classes["address"]} tabIndex={0} role="group" aria-label="The full address">
        {at < 0 ? (
          <Seen text={url} />
        ) : (
          <>
            <Seen text={url.slice(0, at)} />
            <span className={classes["host"]}>
              <Seen text={url.slice(at, at + host.length)} />
            </span>
            <Seen text={url.slice(at + host.length)} />
          </>
        )}
      </div>
      <p>
        It leads to <b>{host === "" ? "an unknown host" : <Seen text={host} />}</b>. Opening it tells the server that you agreed; what you do there stays between you and that site.
      </p>
      {opened && <p>You opened it before. The server still waits: finish there, then ask the server again.</p>}
      {question.urlWarning !== "" && (
        <p className={classes["mismatch"]}>
          <Seen text={question.urlWarning} />
        </p>
      )}
    </Section>
  );
}

/** Where the host stands: after the scheme and whatever is before an @, not where its letters occur first. */
export function hostAt(url: string, host: string): number {
  const start = url.indexOf("://") + 3;
  if (start < 3) return -1;
  const rest = url.slice(start);
  const end = rest.search(/[/?#]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const from = start + authority.lastIndexOf("@") + 1;
  return url.slice(from, from + host.length).toLowerCase() === host.toLowerCase() ? from : -1;
}
