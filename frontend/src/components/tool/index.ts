export { Claims, Description } from "./About";
export { type Finding, Findings } from "./Findings";
