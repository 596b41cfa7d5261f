import type { Navigate } from "../../state/route";

export function ServersScreen(_: { item: string; onNavigate: Navigate }) {
  return <h2>Servers</h2>;
}
