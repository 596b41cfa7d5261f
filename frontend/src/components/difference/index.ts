export { Difference } from "./Difference";
