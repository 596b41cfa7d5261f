import { useEffect, useRef, useState } from "react";

/** Bytes of which the page may hold only the first part. */
export interface Bytes {
  /** All of it where `handle` is "", else the first part. */
  text: string;
  size: number;
  handle: string;
  /** Places in which a secret was masked. */
  masked: number;
}

/** Reads a stretch of the bytes behind a handle. */
export type LoadBytes = (handle: string, offset: number, length: number) => Promise<ArrayBuffer>;

/** Fetched at a time. */
export const STEP = 1 << 20;
/** More than this is not held by the page as text. */
export const MOST = 64 << 20;

export interface LoadedBytes {
  text: string;
  loaded: number;
  done: boolean;
  loading: boolean;
  error: string;
  /** Fetches the next part, or up to the given number of bytes in all. */
  load: (upTo: number) => void;
  stop: () => void;
}

interface Progress {
  text: string;
  loaded: number;
  loading: boolean;
  error: string;
}

/** The text of some bytes, fetched part by part as asked for. For other bytes behind a handle it must be mounted anew. */
export function useBytes(bytes: Bytes, load: LoadBytes): LoadedBytes {
  const whole = bytes.handle === "";
  const [progress, setProgress] = useState<Progress>({ text: bytes.text, loaded: 0, loading: false, error: "" });
  const reader = useRef<{ decoder: TextDecoder; parts: string[]; offset: number; stop: boolean } | null>(null);
  useEffect(
    () => () => {
      if (reader.current !== null) reader.current.stop = true;
    },
    [],
  );
  const fetchParts = async (upTo: number) => {
    const state = (reader.current ??= { decoder: new TextDecoder(), parts: [], offset: 0, stop: false });
    state.stop = false;
    setProgress((before) => ({ ...before, loading: true, error: "" }));
    let error = "";
    try {
      while (!state.stop && state.offset < Math.min(upTo, bytes.size)) {
        const part = await load(bytes.handle, state.offset, STEP);
        if (part.byteLength === 0) break;
        state.offset += part.byteLength;
        state.parts.push(state.decoder.decode(part, { stream: state.offset < bytes.size }));
        setProgress((before) => ({ ...before, loaded: state.offset }));
      }
    } catch (cause) {
      error = cause instanceof Error ? cause.message : String(cause);
    }
    state.parts = [state.parts.join("")];
    setProgress((before) => ({ text: state.parts[0] || before.text, loaded: state.offset, loading: false, error }));
  };
  const now = whole ? { text: bytes.text, loaded: bytes.size, loading: false, error: "" } : progress;
  return {
    ...now,
    done: now.loaded >= bytes.size,
    load: (upTo) => {
      if (!progress.loading) void fetchParts(Math.min(upTo, MOST));
    },
    stop: () => {
      if (reader.current !== null) reader.current.stop = true;
    },
  };
}

/** A number of bytes as people read it, in binary steps. */
export function sizeWords(size: number): string {
  if (size < 1024) return `${size} ${size === 1 ? "byte" : "bytes"}`;
  const units = ["KiB", "MiB", "GiB"];
  let value = size / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit] ?? ""}`;
}
