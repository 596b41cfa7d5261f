import { pieces } from "../../utils/visible";
import classes from "./jsonview.module.css";

/** Text from elsewhere, as text, with characters that cannot be seen as marks. `lines` keeps its line breaks. */
export function Seen({ text, lines = false }: { text: string; lines?: boolean }) {
  return (
    <span className={lines ? classes["lines"] : undefined}>
      <SeenPieces text={text} />
    </span>
  );
}

/** The same without an element around it. */
export function SeenPieces({ text }: { text: string }) {
  const parts = pieces(text);
  const [only] = parts;
  if (parts.length === 1 && only?.kind === "text") return only.text;
  return parts.map((piece, at) =>
    piece.kind === "text" ? (
      piece.text
    ) : (
      <span key={at} className={classes["hiddenMark"]} title={piece.name}>
        {piece.text}
      </span>
    ),
  );
}
