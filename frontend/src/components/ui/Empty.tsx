import { Button, Loader } from "@mantine/core";
import type { ReactNode } from "react";
import { Seen } from "../jsonview/Seen";
import classes from "./ui.module.css";

/** Says what belongs here, and offers the one next step. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: { label: string; act: () => void } }) {
  return (
    <div className={classes["empty"]}>
      <h2 className={classes["emptyTitle"]}>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action !== undefined && (
        <Button variant="default" onClick={action.act}>
          {action.label}
        </Button>
      )}
    </div>
  );
}

/** Says what failed and offers to try again. */
export function Failure({ title, message, onRetry }: { title: string; message: string; onRetry?: () => void }) {
  return (
    <div className={classes["empty"]} role="status">
      <h2 className={classes["emptyTitle"]}>{title}</h2>
      <p>
        <Seen text={message} lines />
      </p>
      {onRetry !== undefined && (
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

export function Loading({ label }: { label: string }) {
  return (
    <div className={classes["empty"]}>
      <Loader size="sm" aria-label={label} role="status" />
    </div>
  );
}
