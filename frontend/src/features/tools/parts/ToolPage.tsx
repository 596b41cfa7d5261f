import { Button, NumberInput } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { type KeyboardEvent, useId, useMemo, useState } from "react";
import type { FieldError, ToolDetail } from "../../../api/types";
import { JsonView, Seen } from "../../../components/jsonview";
import { initialText, SchemaForm } from "../../../components/schemaform";
import { Findings } from "../../../components/tool";
import { Review } from "./Review";
import { ToolHeader } from "./ToolHeader";
import classes from "./tools.module.css";

/** What became of a proposal: nothing to say, errors at fields, or a failure in words. */
export type Proposed = { kind: "done" } | { kind: "errors"; errors: readonly FieldError[] } | { kind: "failed"; message: string };

export interface ToolPageProps {
  detail: ToolDetail;
  /** The arguments as JSON text; "" starts from the schema's defaults. */
  draft: string;
  onDraft: (text: string) => void;
  /** Checks the arguments and proposes the call. Never rejects. */
  propose: (argsText: string, limitSeconds: number) => Promise<Proposed>;
  /** Records that the person reviewed the definition that is shown. Never rejects. */
  onReviewed: () => Promise<void>;
  onBack: () => void;
  now: Date;
}

/** One tool: what it is, a form for its arguments, and the way to propose a call. */
export function ToolPage({ detail, draft, onDraft, propose, onReviewed, onBack, now }: ToolPageProps) {
  const { summary } = detail;
  const prefix = useId();
  const [valid, setValid] = useState(false);
  const [errors, setErrors] = useState<readonly FieldError[]>(NONE);
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const [limit, setLimit] = useState(0);
  const start = useMemo(() => initialText(detail.inputSchema), [detail.inputSchema]);
  const text = draft === "" ? start : draft;

  const change = (next: string, ok: boolean) => {
    setValid(ok);
    if (next === text) return;
    setFailure("");
    onDraft(next);
  };
  const submit = async () => {
    if (!valid) {
      setErrors(NONE);
      setFailure("Something is unfinished. The fields that need you say so.");
      return;
    }
    setBusy(true);
    setFailure("");
    const proposed = await propose(text, limit);
    setBusy(false);
    setErrors(proposed.kind === "errors" ? proposed.errors : NONE);
    if (proposed.kind === "failed") setFailure(proposed.message);
  };
  const reset = () => {
    setErrors(NONE);
    setFailure("");
    onDraft(start);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || busy || summary.hidden !== "") return;
    event.preventDefault();
    void submit();
  };
  return (
    <article className={classes["page"]} onKeyDown={onKeyDown}>
      <div className={classes["pageScroll"]}>
        <ToolHeader detail={detail} onBack={onBack} now={now} />
        {summary.change !== "" && <Review detail={detail} onReviewed={onReviewed} />}
        {summary.hidden !== "" && <Notice text={`It cannot be called: ${summary.hidden}`} />}
        {detail.server.state !== "running" && <Notice text="Its server is not running now." />}
        {summary.problem !== "" && <Notice text={summary.problem} />}
        {detail.schemaProblem !== "" && <Notice text={`Its schema cannot be used to check arguments: ${detail.schemaProblem}`} />}
        <Findings of={detail.findings} />
        <section aria-label="Arguments" className={classes["arguments"]}>
          <SchemaForm schemaText={detail.inputSchema} valueText={text} onChange={change} errors={errors} idPrefix={prefix} />
        </section>
        <Definitions detail={detail} />
      </div>
      <footer className={classes["actions"]}>
        <Button size="sm" loading={busy} disabled={summary.hidden !== ""} onClick={() => void submit()}>
          Propose call
        </Button>
        <Button size="sm" variant="default" onClick={reset}>
          Start over
        </Button>
        <NumberInput
          size="xs"
          className={classes["limit"]}
          aria-label="Wait for the answer at most, in seconds"
          placeholder="Time limit, s"
          title="How long this call's answer is waited for at most, in seconds; empty is as the server is set up"
          min={1}
          max={86_400}
          allowDecimal={false}
          hideControls
          value={limit === 0 ? "" : limit}
          onChange={(seconds) => setLimit(Number(seconds) || 0)}
        />
        <span role="status" className={failure === "" ? classes["quiet"] : classes["failure"]}>
          {failure === "" ? "Nothing is sent before you approve it." : <Seen text={failure} lines />}
        </span>
      </footer>
    </article>
  );
}

const NONE: readonly FieldError[] = [];

function Notice({ text }: { text: string }) {
  return (
    <p className={classes["notice"]}>
      <IconAlertCircle size={16} aria-hidden /> <Seen text={text} lines />
    </p>
  );
}

function Definitions({ detail }: { detail: ToolDetail }) {
  return (
    <div className={classes["definitions"]}>
      <Folded title="What it gives back" text={detail.outputSchema} none="It declares no output schema." />
      <Folded title="Definition as the server listed it" text={detail.raw} none="" />
    </div>
  );
}

function Folded({ title, text, none }: { title: string; text: string; none: string }) {
  const [open, setOpen] = useState(false);
  if (text === "") return none === "" ? null : <p className={classes["quiet"]}>{none}</p>;
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {open && <JsonView text={text} label={title} />}
    </details>
  );
}
