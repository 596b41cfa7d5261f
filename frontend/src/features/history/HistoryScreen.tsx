import type { Navigate } from "../../state/route";

export function HistoryScreen(_: { item: string; onNavigate: Navigate }) {
  return <h2>History</h2>;
}
