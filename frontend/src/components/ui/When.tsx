import { useEffect, useState } from "react";
import { ago, exactly } from "../../utils/time";

/** The time, brought up to date every `tick` milliseconds. */
export function useNow(tick = 30_000): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), tick);
    return () => clearInterval(timer);
  }, [tick]);
  return now;
}

/** How long ago, with the exact time on hover and for a screen reader. */
export function When({ at, now }: { at: string; now: Date }) {
  const exact = exactly(at);
  return (
    <span title={exact}>
      {ago(at, now)}
      <span className="unseen">, {exact}</span>
    </span>
  );
}
