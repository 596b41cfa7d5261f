import { Textarea, type TextareaProps } from "@mantine/core";

/** Letters that are taken to fit in a row, for guessing how many rows a text needs. */
const ROW = 76;

export interface AreaProps extends Omit<TextareaProps, "autosize" | "minRows" | "maxRows" | "rows" | "value"> {
  value: string;
  least: number;
  most: number;
}

/** A text box about as tall as its text, without measuring it at every key. */
export function Area({ value, least, most, ...props }: AreaProps) {
  return <Textarea {...props} value={value} rows={rowsFor(value, least, most)} resize="vertical" />;
}

function rowsFor(text: string, least: number, most: number): number {
  let rows = 0;
  for (let at = 0; at >= 0 && rows < most; ) {
    const end = text.indexOf("\n", at);
    rows += Math.max(1, Math.ceil(((end < 0 ? text.length : end) - at) / ROW));
    at = end < 0 ? -1 : end + 1;
  }
  return Math.min(Math.max(rows, least), most);
}
