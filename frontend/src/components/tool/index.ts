export { Claims, Description } from "./About";
