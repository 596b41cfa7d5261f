import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import classes from "./ui.module.css";

/** Whether list and detail stand side by side; keep in step with ui.module.css. */
export function useRoomForBoth(): boolean {
  return useMediaQuery("(min-width: 860px)", false, { getInitialValueInEffect: false });
}

export interface SplitProps {
  list: ReactNode;
  /** undefined: nothing is selected. */
  detail: ReactNode | undefined;
  /** Stands in place of a detail where there is room for both. */
  hint: ReactNode;
  wide?: boolean;
}

/** A list with its detail beside it, or over it where there is no room. The list below stays, so that it keeps its scroll place. */
export function Split({ list, detail, hint, wide = false }: SplitProps) {
  const both = useRoomForBoth();
  return (
    <div className={classes["split"]} data-open={detail !== undefined} data-wide={wide}>
      <div className={classes["splitList"]}>{list}</div>
      {(detail !== undefined || both) && <div className={classes["splitDetail"]}>{detail ?? hint}</div>}
    </div>
  );
}
