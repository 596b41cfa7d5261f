export { ResultView, type ResultViewProps } from "./ResultView";
export type { Block, Result } from "./types";
