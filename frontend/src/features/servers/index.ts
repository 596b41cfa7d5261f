export { ServersScreen } from "./ServersScreen";
