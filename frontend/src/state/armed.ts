import { useEffect, useState } from "react";

/** A press that was meant for what stood here before must not count. */
const ARM_AFTER = 600;

/** False for a moment after `key` names something new on screen, then true. */
export function useArmed(key: string): boolean {
  const [armed, setArmed] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setArmed(`${key}.`), ARM_AFTER);
    return () => clearTimeout(timer);
  }, [key]);
  return armed === `${key}.`;
}
