import { ActionIcon, Button } from "@mantine/core";
import { IconAlertTriangle, IconX } from "@tabler/icons-react";
import { Seen } from "../components/jsonview";
import { useToasts } from "../state/toasts";
import classes from "./shell.module.css";

/** Toasts, read out as they come. They take no focus. */
export function ToastStack() {
  const { list, dismiss } = useToasts();
  return (
    <section className={classes["toasts"]} aria-label="Messages" aria-live="polite">
      {list.map((toast) => (
        <div key={toast.id} className={classes["toast"]} data-bad={toast.bad}>
          {toast.bad && <IconAlertTriangle size={16} aria-label="Failed" />}
          <span className={classes["toastText"]}>
            <Seen text={toast.text} />
          </span>
          {toast.undo !== undefined && (
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => {
                toast.undo?.act();
                dismiss(toast.id);
              }}
            >
              {toast.undo.label}
            </Button>
          )}
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label="Dismiss the message" onClick={() => dismiss(toast.id)}>
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </div>
      ))}
    </section>
  );
}
