import { useState } from "react";
import classes from "./tool.module.css";

/** A server-given icon by its hash, or initials on the server's hue where there is none or it cannot be shown. Decorative. */
export function ToolIcon({ icon, name, hue, size = 20 }: { icon: string; name: string; hue: number; size?: number }) {
  const [broken, setBroken] = useState("");
  const style = { width: size, height: size, fontSize: Math.round(size * 0.45) };
  if (icon.startsWith("/icon/") && broken !== icon) {
    return <img className={classes["icon"]} style={style} src={icon} alt="" loading="lazy" decoding="async" onError={() => setBroken(icon)} />;
  }
  return (
    <span aria-hidden className={classes["icon"]} style={{ ...style, background: `hsl(${((hue % 360) + 360) % 360} 40% 30%)` }}>
      {initials(name)}
    </span>
  );
}

/** One or two letters: the first of the first two words. */
export function initials(name: string): string {
  const words = name.normalize("NFKC").match(/[\p{L}\p{N}]+/gu) ?? [];
  const parts = words.flatMap((word) => word.split(/(?<=\p{Ll})(?=\p{Lu})/u));
  const letters = parts.slice(0, 2).map((part) => [...part][0] ?? "");
  return letters.join("").toUpperCase() || "?";
}
