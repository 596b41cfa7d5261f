import { Button } from "@mantine/core";
import { useEffect, useState } from "react";

/** Puts a text on the clipboard; says whether that worked. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** For windows in which the clipboard is not offered to scripts: select in a hidden box and copy as a person would. */
function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  document.body.append(area);
  const before = document.activeElement;
  area.select();
  // The old way is the only one left here.
  const done = typeof document.execCommand === "function" && document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}

/** A small button that copies what `text` gives, and says so for a moment. */
export function CopyButton({ label = "Copy", text }: { label?: string; text: () => string }) {
  const [state, setState] = useState<"" | "done" | "failed">("");
  useEffect(() => {
    if (state === "") return undefined;
    const timer = setTimeout(() => setState(""), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    void copyText(text()).then((done) => setState(done ? "done" : "failed"));
  };
  return (
    <Button variant="subtle" color="gray" size="compact-xs" onClick={copy}>
      {state === "" ? label : state === "done" ? "Copied" : "Not copied"}
    </Button>
  );
}
