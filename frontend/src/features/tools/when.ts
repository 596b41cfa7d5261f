import { ago } from "../../utils/time";

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
