export { Claims, Description } from "./About";
export { type Finding, Findings } from "./Findings";
export { initials, ToolIcon } from "./ToolIcon";
