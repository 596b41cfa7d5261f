import type { Navigate } from "../../state/route";

export function SettingsScreen(_: { item: string; onNavigate: Navigate }) {
  return <h2>Settings</h2>;
}
