import classes from "./jsonview.module.css";
import { SeenPieces } from "./Seen";

/** A run of blanks this long after something hides what follows it. What a line is indented by does not count. */
export const BLANKS = /(?<=\S)[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]{9,}/g;

/** Text in which long runs of blanks are told by their number, so that nothing hides behind them. */
export function CountedBlanks({ text }: { text: string }) {
  const runs = [...text.matchAll(BLANKS)];
  if (runs.length === 0) return <SeenPieces text={text} />;
  let from = 0;
  const parts = runs.map((run) => {
    const before = text.slice(from, run.index);
    from = run.index + run[0].length;
    return (
      <span key={run.index}>
        <SeenPieces text={before} />
        <span className={classes["blanks"]}>{run[0].length} blanks</span>
      </span>
    );
  });
  return (
    <>
      {parts}
      <SeenPieces text={text.slice(from)} />
    </>
  );
}
