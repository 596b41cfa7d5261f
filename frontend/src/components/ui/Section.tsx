import type { ReactNode } from "react";
import classes from "./ui.module.css";

/** A titled part of a detail. */
export function Section({ title, children, aside }: { title: string; children: ReactNode; aside?: ReactNode }) {
  return (
    <section className={classes["section"]} aria-label={title}>
      <div className={classes["sectionBar"]}>
        <h3 className={classes["sectionTitle"]}>{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  );
}
