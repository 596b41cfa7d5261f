export { ApprovalsScreen } from "./ApprovalsScreen";
