const two = (n: number): string => String(n).padStart(2, "0");

/** The day of an instant where the person is, as 2026-03-31. */
export function localDate(at: Date): string {
  return `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

function zone(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  if (minutes === 0) return "Z";
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** An instant to the second with the person's own zone, as RFC 3339 wants it. */
export function localDateTime(at: Date): string {
  return `${localDate(at)}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}${zone(at)}`;
}

const LOOSE = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?$/i;

/** Completes a date and time typed without seconds or zone, taking it as the person's own time. Anything else stays. */
export function completeDateTime(typed: string): string {
  const match = LOOSE.exec(typed.trim());
  if (match === null) return typed;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match.slice(1).map((part) => Number(part ?? 0));
  const at = new Date(year, month - 1, day, hour, minute, second);
  const real = at.getFullYear() === year && at.getMonth() === month - 1 && at.getDate() === day && hour < 24 && minute < 60 && second < 60;
  return real ? localDateTime(at) : typed;
}
