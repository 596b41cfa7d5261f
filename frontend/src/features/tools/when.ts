const STEPS: readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [31_536_000, "year"], [2_592_000, "month"], [86_400, "day"], [3_600, "hour"], [60, "minute"],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** How long ago an instant was, in words: "3 minutes ago". "" for no instant. */
export function ago(instant: string, now: Date): string {
  const at = Date.parse(instant);
  if (Number.isNaN(at)) return "";
  const seconds = Math.max(0, Math.round((now.getTime() - at) / 1000));
  for (const [step, unit] of STEPS) if (seconds >= step) return relative.format(-Math.floor(seconds / step), unit);
  return "just now";
}

/** The exact instant where the person is, "" for none. */
export function exactly(instant: string): string {
  const at = new Date(instant);
  return Number.isNaN(at.getTime()) ? "" : at.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}

/** How fresh a list of tools is, in words. */
export function freshnessWords(freshness: string, received: string, now: Date): string {
  switch (freshness) {
    case "live":
      return "live";
    case "cached":
      return `kept from ${ago(received, now)}`;
    case "stale":
      return `out of date, from ${ago(received, now)}`;
    default:
      return "";
  }
}
