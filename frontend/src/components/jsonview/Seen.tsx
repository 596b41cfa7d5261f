import { visible } from "./seen";

/** Text from elsewhere, as text, with characters that cannot be seen made visible. `lines` keeps its line breaks. */
export function Seen({ text, lines = false }: { text: string; lines?: boolean }) {
  return <span style={lines ? { whiteSpace: "pre-wrap", overflowWrap: "anywhere" } : undefined}>{visible(text)}</span>;
}
