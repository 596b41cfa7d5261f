/** Encoded images and audio beyond this are not decoded. */
export const MAX_MEDIA_BYTES = 32 << 20;
/** Images with more pixels than this are not decoded: 40 million take 160 MB. */
export const MAX_PIXELS = 40_000_000;

export const IMAGE_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
export const AUDIO_TYPES: ReadonlySet<string> = new Set(["audio/mpeg", "audio/wav", "audio/ogg", "audio/x-wav", "audio/wave"]);

export interface PixelSize {
  width: number;
  height: number;
}

/** Width and height from the header of a PNG, JPEG, GIF or WebP; undefined when it cannot be told. Nothing is decoded. */
export function pixelSize(bytes: Uint8Array): PixelSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (starts(bytes, [0x89, 0x50, 0x4e, 0x47])) return { width: view.getUint32(16), height: view.getUint32(20) };
    if (starts(bytes, [0x47, 0x49, 0x46, 0x38])) return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    if (starts(bytes, [0xff, 0xd8])) return jpegSize(view);
    if (starts(bytes, [0x52, 0x49, 0x46, 0x46]) && word(view, 8) === "WEBP") return webpSize(view);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}

function starts(bytes: Uint8Array, head: readonly number[]): boolean {
  return head.every((byte, at) => bytes[at] === byte);
}

function word(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
}

function jpegSize(view: DataView): PixelSize | undefined {
  let at = 2;
  while (at < view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    const frame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (frame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function webpSize(view: DataView): PixelSize | undefined {
  const kind = word(view, 12);
  if (kind === "VP8 ") return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (kind === "VP8L") {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (kind !== "VP8X") return undefined;
  const three = (at: number) => view.getUint8(at) + view.getUint8(at + 1) * 256 + view.getUint8(at + 2) * 65_536;
  return { width: three(24) + 1, height: three(27) + 1 };
}
