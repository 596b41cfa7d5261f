import { IconChecklist, IconGavel, IconHistory, IconServer, IconSettings, IconTool, type TablerIcon } from "@tabler/icons-react";
import { useDesk } from "../state/desk";
import { type Navigate, type Screen, SCREENS } from "../state/route";
import classes from "./shell.module.css";

const ITEMS: Record<Screen, { label: string; Icon: TablerIcon }> = {
  approvals: { label: "Approvals", Icon: IconChecklist },
  tools: { label: "Tools", Icon: IconTool },
  servers: { label: "Servers", Icon: IconServer },
  history: { label: "History", Icon: IconHistory },
  rules: { label: "Rules", Icon: IconGavel },
  settings: { label: "Settings", Icon: IconSettings },
};

/** The way between screens: a rail, icons only where it is narrow, a bar at the bottom where it is narrower still. */
export function Rail({ current, onNavigate }: { current: Screen; onNavigate: Navigate }) {
  const { cards, questions } = useDesk();
  const waiting = (cards.data?.length ?? 0) + (questions.data?.length ?? 0);
  return (
    <nav className={classes["rail"]} aria-label="Screens">
      {SCREENS.map((screen, at) => {
        const { label, Icon } = ITEMS[screen];
        const count = screen === "approvals" ? waiting : 0;
        return (
          <button
            key={screen}
            type="button"
            className={classes["railItem"]}
            aria-label={count > 0 ? `${label}, ${count} waiting` : label}
            aria-current={screen === current ? "page" : undefined}
            title={`${label} (Ctrl+${at + 1})`}
            onClick={() => onNavigate(screen)}
          >
            <Icon size={20} stroke={1.6} aria-hidden />
            <span className={classes["railLabel"]}>{label}</span>
            {count > 0 && <span className={classes["railCount"]}>{count > 99 ? "99+" : count}</span>}
          </button>
        );
      })}
    </nav>
  );
}
