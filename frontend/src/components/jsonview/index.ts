export { hasAnsi, stripAnsi } from "./ansi";
export { BytesBox, type BytesBoxProps } from "./BytesBox";
export { type Bytes, type LoadBytes, sizeWords, useBytes } from "./bytes";
export { CopyButton } from "./CopyButton";
export { JsonTree } from "./JsonTree";
export { JsonView, type JsonViewProps } from "./JsonView";
export { Seen } from "./Seen";
export { TextView, type TextViewProps } from "./TextView";
