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

/** The time of day with milliseconds, for events that lie close together. */
export function clock(instant: string): string {
  const at = new Date(instant);
  return Number.isNaN(at.getTime()) ? "" : at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 });
}

/** A length of time as people say it: "340 ms", "2.4 s", "3 min 20 s". */
export function lasting(ms: number): string {
  if (ms < 0) return "";
  // The limits are where rounding would already write the larger unit.
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  return span(Math.round(ms / 1000));
}

/** Whole seconds in the two largest units. */
export function span(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor((seconds % 86_400) / 3_600), "h"],
    [Math.floor((seconds % 3_600) / 60), "min"],
    [seconds % 60, "s"],
  ] as const;
  const first = parts.findIndex(([n]) => n > 0);
  if (first < 0) return "0 s";
  return parts
    .slice(first, first + 2)
    .filter(([n]) => n > 0)
    .map(([n, unit]) => `${n} ${unit}`)
    .join(" ");
}
