import { type RefCallback, useCallback, useState } from "react";

const STEP = 40;

/**
 * Mounts a long run of fields piece by piece: the first ones at once, more as
 * the end of what is mounted comes near the screen. `must` is the last position
 * that has to be there whatever the scroll place, -1 for none.
 */
export function useChunk(count: number, must: number): { shown: number; sentinel: RefCallback<HTMLElement> } {
  const [wanted, setWanted] = useState(STEP);
  const watching = typeof IntersectionObserver !== "undefined";
  const shown = watching ? Math.min(count, Math.max(wanted, must + 1)) : count;
  const sentinel = useCallback(
    (element: HTMLElement | null) => {
      if (element === null || !watching) return undefined;
      const observer = new IntersectionObserver(
        (seen) => {
          if (seen.some((entry) => entry.isIntersecting)) setWanted(shown + STEP);
        },
        { rootMargin: "800px" },
      );
      observer.observe(element);
      return () => observer.disconnect();
    },
    [shown, watching],
  );
  return { shown, sentinel };
}
