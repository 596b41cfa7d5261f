import type { Bytes } from "../jsonview";
import type { FieldError } from "../schemaform";

/** One block of a result, as Go took it apart. */
export interface Block {
  index: number;
  type: string;
  text: Bytes | null;
  /** Where decoded binary content can be fetched; "" for none. */
  handle: string;
  /** The type that the server claims. */
  mime: string;
  /** The type that the bytes show, "" when unknown. */
  sniffed: string;
  uri: string;
  name: string;
  title: string;
  description: string;
  size: number;
  audience: readonly string[];
  /** The block's JSON, perhaps cut. */
  raw: string;
  /** Why it cannot be shown as what it claims to be, "" when it can. */
  problem: string;
}

/** The answer to a call. */
export interface Result {
  blocks: readonly Block[];
  structured: Bytes | null;
  isError: boolean;
  notes: readonly string[];
  raw: Bytes;
  schemaErrors: readonly FieldError[];
  error: { code: number; message: string; data: string } | null;
}
