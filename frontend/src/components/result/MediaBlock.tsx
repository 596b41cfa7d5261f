import { Button, Loader } from "@mantine/core";
import { useEffect, useState } from "react";
import { visibleText } from "../../utils/visible";
import { type LoadBytes, sizeWords } from "../jsonview";
import { AUDIO_TYPES, IMAGE_TYPES, MAX_MEDIA_BYTES, MAX_PIXELS, type PixelSize, pixelSize } from "./media";
import classes from "./result.module.css";
import type { Block } from "./types";

type Media = { state: "loading" } | { state: "failed"; reason: string } | { state: "ready"; url: string; pixels: PixelSize | undefined };

/** Fetches the bytes and lends them an address that only this page knows, for as long as the block is shown. */
function useMedia(block: Block, type: string, load: LoadBytes): Media {
  const [media, setMedia] = useState<Media>({ state: "loading" });
  const { handle, size } = block;
  useEffect(() => {
    let gone = false;
    let url = "";
    const settle = (next: Media) => {
      if (!gone) setMedia(next);
    };
    load(handle, 0, size).then(
      (bytes) => {
        const pixels = IMAGE_TYPES.has(type) ? pixelSize(new Uint8Array(bytes)) : undefined;
        if (IMAGE_TYPES.has(type) && pixels === undefined) return settle({ state: "failed", reason: "The image's header cannot be read, so it is not decoded." });
        if (pixels !== undefined && pixels.width * pixels.height > MAX_PIXELS) {
          return settle({ state: "failed", reason: `${pixels.width} × ${pixels.height} pixels are too many to decode safely.` });
        }
        if (gone) return undefined;
        url = URL.createObjectURL(new Blob([bytes], { type }));
        return settle({ state: "ready", url, pixels });
      },
      (cause: unknown) => settle({ state: "failed", reason: `It could not be loaded: ${cause instanceof Error ? cause.message : String(cause)}` }),
    );
    return () => {
      gone = true;
      if (url !== "") URL.revokeObjectURL(url);
    };
  }, [handle, size, type, load]);
  return media;
}

/** The type to show a block's bytes as, "" when they are neither image nor audio. What the bytes show counts, not the claim. */
export function mediaType(block: Block): string {
  const found = block.sniffed === "" ? block.mime : block.sniffed;
  const type = found.split(";")[0]?.trim().toLowerCase() ?? "";
  return IMAGE_TYPES.has(type) || AUDIO_TYPES.has(type) ? type : "";
}

/** An image or a sound. */
export function MediaBlock({ block, load }: { block: Block; load: LoadBytes }) {
  const type = mediaType(block);
  if (block.handle === "" || type === "") return null;
  if (block.size > MAX_MEDIA_BYTES) {
    return <p className={classes["note"]}>{sizeWords(block.size)} are too large to be shown here.</p>;
  }
  return <Loaded key={`${block.handle} ${type}`} block={block} type={type} load={load} />;
}

function Loaded({ block, type, load }: { block: Block; type: string; load: LoadBytes }) {
  const media = useMedia(block, type, load);
  const [broken, setBroken] = useState("");
  const [actual, setActual] = useState(false);
  const name = visibleText(block.title || block.name);
  if (media.state === "loading") return <Loader size="xs" aria-label="Loading" />;
  if (media.state === "failed" || broken !== "") {
    return <p className={classes["note"]}>{media.state === "failed" ? media.reason : broken}</p>;
  }
  if (AUDIO_TYPES.has(type)) {
    return (
      <audio
        controls
        preload="metadata"
        src={media.url}
        aria-label={`Sound${name === "" ? "" : ` ${name}`}, ${type}, ${sizeWords(block.size)}`}
        className={classes["audio"]}
        onError={() => setBroken("The sound cannot be played here.")}
      />
    );
  }
  const pixels = media.pixels === undefined ? "" : `, ${media.pixels.width} × ${media.pixels.height}`;
  return (
    <div className={classes["image"]}>
      <div className={classes["canvas"]} tabIndex={actual ? 0 : undefined} role={actual ? "group" : undefined} aria-label={actual ? "Image at actual size" : undefined}>
        <img
          src={media.url}
          alt={`Image${name === "" ? "" : ` ${name}`}, ${type}, ${sizeWords(block.size)}${pixels}`}
          data-actual={actual}
          onError={() => setBroken("The image cannot be decoded.")}
        />
      </div>
      <div className={classes["bar"]}>
        <span className={classes["note"]}>{media.pixels !== undefined && `${media.pixels.width} × ${media.pixels.height} pixels`}</span>
        <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setActual(!actual)}>
          {actual ? "Fit" : "Actual size"}
        </Button>
      </div>
    </div>
  );
}
