import type { Navigate } from "../../state/route";

export function ApprovalsScreen(_: { item: string; onNavigate: Navigate }) {
  return <h2>Approvals</h2>;
}
