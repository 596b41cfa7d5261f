import { IconAlertCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { JsonView, type LoadBytes, Seen, sizeWords } from "../jsonview";
import { MediaBlock, mediaType } from "./MediaBlock";
import classes from "./result.module.css";
import { TextBox } from "./TextBox";
import type { Block } from "./types";

const KINDS: Record<string, string> = { text: "Text", image: "Image", audio: "Sound", resource: "Resource", resource_link: "Link to a resource" };

/** What stands below the address of a link. */
export type LinkPart = (block: Block) => ReactNode;

/** One block of a result as what it is. */
export function BlockView({ block, load, link }: { block: Block; load: LoadBytes; link: LinkPart | undefined }) {
  const label = `${KINDS[block.type] ?? block.type} ${block.index + 1}`;
  return (
    <div role="group" className={classes["block"]} aria-label={label}>
      <Heading block={block} />
      {block.problem !== "" && (
        <p className={classes["problem"]}>
          <IconAlertCircle size={14} aria-hidden /> <Seen text={block.problem} />
        </p>
      )}
      <Content block={block} load={load} label={label} link={link} />
      {(!(block.type in KINDS) || block.problem !== "") && <RawBlock raw={block.raw} open={false} />}
    </div>
  );
}

function Heading({ block }: { block: Block }) {
  const known = KINDS[block.type];
  const type = block.mime !== "" ? block.mime : block.sniffed;
  const facts = [
    type,
    block.sniffed !== "" && block.mime !== "" && block.sniffed !== block.mime ? `the bytes are ${block.sniffed}` : "",
    block.size > 0 && (block.handle !== "" || block.type === "resource_link") ? sizeWords(block.size) : "",
    block.audience.length > 0 ? `for ${block.audience.join(" and ")}` : "",
  ].filter((fact) => fact !== "");
  if (block.type === "text" && facts.length === 0) return null;
  return (
    <div className={classes["heading"]}>
      <span>{known ?? <>Block of unknown type <code><Seen text={block.type === "" ? "(none)" : block.type} /></code></>}</span>
      {facts.map((fact) => (
        <span key={fact} className={classes["note"]}>
          <Seen text={fact} />
        </span>
      ))}
    </div>
  );
}

function Content({ block, load, label, link }: { block: Block; load: LoadBytes; label: string; link: LinkPart | undefined }): ReactNode {
  switch (block.type) {
    case "text":
      return block.text === null ? null : <TextBox bytes={block.text} load={load} label={label} />;
    case "image":
    case "audio":
      return <Binary block={block} load={load} label={label} />;
    case "resource":
      return (
        <>
          <Address block={block} />
          <Binary block={block} load={load} label={label} />
        </>
      );
    case "resource_link":
      return (
        <>
          <Address block={block} />
          {block.uri !== "" && link?.(block)}
        </>
      );
    default:
      return block.text === null ? null : <TextBox bytes={block.text} load={load} label={label} />;
  }
}

/** Bytes that came with the block: shown when they are an image or a sound, else named. */
function Binary({ block, load, label }: { block: Block; load: LoadBytes; label: string }) {
  if (block.text !== null) return <TextBox bytes={block.text} load={load} label={label} />;
  if (block.handle === "") return block.problem === "" ? <p className={classes["note"]}>It holds no bytes.</p> : null;
  if (mediaType(block) === "") {
    return <p className={classes["note"]}>{sizeWords(block.size)} of a type that is not shown here. They are kept and stand in the raw result.</p>;
  }
  return <MediaBlock block={block} load={load} />;
}

/** An address that a server named: text, never a link. */
function Address({ block }: { block: Block }) {
  const name = block.title === "" ? block.name : block.title;
  return (
    <div className={classes["address"]}>
      {name !== "" && (
        <div className={classes["name"]}>
          <Seen text={name} />
          {block.title !== "" && block.name !== "" && block.name !== block.title && (
            <code className={classes["note"]}>
              {" "}
              <Seen text={block.name} />
            </code>
          )}
        </div>
      )}
      {block.description !== "" && (
        <div>
          <Seen text={block.description} lines />
        </div>
      )}
      {block.uri !== "" && (
        <code className={classes["uri"]}>
          <Seen text={block.uri} />
        </code>
      )}
    </div>
  );
}

function RawBlock({ raw, open }: { raw: string; open: boolean }) {
  return (
    <details open={open} className={classes["raw"]}>
      <summary>The block as JSON</summary>
      <JsonView text={raw} label="The block as JSON" start="lines" />
    </details>
  );
}
