import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef } from "react";
import { type AnsiText, piecesOf, readAnsi } from "./ansi";
import { CountedBlanks } from "./blanks";
import classes from "./jsonview.module.css";
import { Rows } from "./lines";
import { SeenPieces } from "./Seen";

/** Up to this much is laid out at once; more only where it is looked at. */
const SMALL = 20_000;
const SMALL_ROWS = 400;

export interface TextViewProps {
  text: string;
  /** Name for assistive technology. */
  label: string;
  /** Show terminal colours instead of their codes. */
  colors?: boolean;
  /** Count long runs of blanks instead of showing them. */
  blanks?: boolean;
}

/** Text as it is, line by line, wrapped, scrolling within itself; what cannot be seen is made visible. */
export function TextView({ text, label, colors = false, blanks = false }: TextViewProps) {
  const ansi = useMemo<AnsiText>(() => (colors ? readAnsi(text) : { text, marks: [] }), [text, colors]);
  const rows = useMemo(() => new Rows(ansi.text), [ansi]);
  if (text.length <= SMALL && rows.count <= SMALL_ROWS) {
    return (
      <div className={classes["text"]} role="group" aria-label={label} tabIndex={0}>
        {Array.from({ length: rows.count }, (_, at) => (
          <Row key={at} ansi={ansi} rows={rows} at={at} blanks={blanks} />
        ))}
      </div>
    );
  }
  return <Windowed ansi={ansi} rows={rows} label={label} blanks={blanks} />;
}

interface WindowedProps {
  ansi: AnsiText;
  rows: Rows;
  label: string;
  blanks: boolean;
}

function Windowed({ ansi, rows, label, blanks }: WindowedProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => 18,
    overscan: 20,
    initialRect: { width: 600, height: 400 },
  });
  return (
    <div ref={scroller} className={classes["text"]} role="group" aria-label={label} tabIndex={0}>
      <div style={{ height: list.getTotalSize(), position: "relative" }}>
        {list.getVirtualItems().map((item) => (
          <div key={item.key} ref={list.measureElement} data-index={item.index} className={classes["placed"]} style={{ transform: `translateY(${item.start}px)` }}>
            <Row ansi={ansi} rows={rows} at={item.index} blanks={blanks} />
          </div>
        ))}
      </div>
    </div>
  );
}

function Row({ ansi, rows, at, blanks }: { ansi: AnsiText; rows: Rows; at: number; blanks: boolean }) {
  const [start, end] = rows.span(at);
  if (start === end) return <div className={classes["row"]}>{"\u00a0"}</div>;
  if (ansi.marks.length === 0) {
    const text = ansi.text.slice(start, end);
    return <div className={classes["row"]}>{blanks ? <CountedBlanks text={text} /> : <SeenPieces text={text} />}</div>;
  }
  return (
    <div className={classes["row"]}>
      {piecesOf(ansi, start, end).map(({ text, look }, index) => (
        <span
          key={index}
          data-ansi={look.color < 0 ? undefined : look.color}
          className={classes["ansi"]}
          style={{
            fontWeight: look.bold ? 600 : undefined,
            fontStyle: look.italic ? "italic" : undefined,
            textDecoration: look.underline ? "underline" : undefined,
          }}
        >
          <SeenPieces text={text} />
        </span>
      ))}
    </div>
  );
}
