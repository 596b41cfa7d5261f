export { HistoryScreen } from "./HistoryScreen";
