import { Button, Loader } from "@mantine/core";
import type { ReactNode } from "react";
import type { ToolGroup } from "../../../api/types";
import { ToolList, type ToolListProps } from "./ToolList";
import classes from "./tools.module.css";

export interface ToolsLayoutProps extends Omit<ToolListProps, "groups"> {
  /** undefined while they are read for the first time. */
  groups: readonly ToolGroup[] | undefined;
  /** Why the list could not be read, "" when it could. */
  failure: string;
  onRetry: () => void;
  /** The tool page, or undefined for none. */
  page: ReactNode | undefined;
}

/** The list and, beside it or over it, the page of one tool. */
export function ToolsLayout({ groups, failure, onRetry, page, ...list }: ToolsLayoutProps) {
  if (groups === undefined) {
    return (
      <div className={classes["screen"]}>
        <div className={classes["empty"]}>{failure === "" ? <Loader size="sm" aria-label="Reading the tools" /> : <Failure text={failure} onRetry={onRetry} />}</div>
      </div>
    );
  }
  if (groups.length === 0) {
    return (
      <div className={classes["screen"]}>
        <div className={classes["empty"]}>
          <p>The tools of your servers stand here. There is no server yet.</p>
          <Button variant="default" size="xs" onClick={list.onServers}>
            Go to servers
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className={classes["screen"]} data-open={page !== undefined}>
      <ToolList {...list} groups={groups} />
      {page ?? (
        <div className={`${classes["empty"] ?? ""} ${classes["hint"] ?? ""}`}>
          {failure === "" ? <p>Choose a tool to see what it does and to propose a call.</p> : <Failure text={failure} onRetry={onRetry} />}
        </div>
      )}
    </div>
  );
}

function Failure({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <>
      <p role="alert">{text}</p>
      <Button variant="default" size="xs" onClick={onRetry}>
        Try again
      </Button>
    </>
  );
}
