import { type ComponentType, useCallback, useEffect, useRef } from "react";
import { ApprovalsScreen } from "../features/approvals";
import { HistoryScreen } from "../features/history";
import { ServersScreen } from "../features/servers";
import { RulesScreen } from "../features/rules";
import { SettingsScreen } from "../features/settings";
import { ToolsScreen } from "../features/tools/ToolsScreen";
import { usePersisted } from "../state/persisted";
import { type Navigate, type Route, type Screen, SCREENS } from "../state/route";
import { Boundary } from "./Boundary";
import { Notices } from "./Notices";
import { Rail } from "./Rail";
import classes from "./shell.module.css";
import { Strip } from "./Strip";
import { ToastStack } from "./ToastStack";

const screens: Record<Screen, ComponentType<ScreenProps>> = {
  approvals: ApprovalsScreen,
  tools: ToolsScreen,
  servers: ServersScreen,
  history: HistoryScreen,
  rules: RulesScreen,
  settings: SettingsScreen,
};

/** What every screen gets. */
export interface ScreenProps {
  item: string;
  onNavigate: Navigate;
}

const TITLES: Record<Screen, string> = { approvals: "Approvals", tools: "Tools", servers: "Servers", history: "History", rules: "Rules", settings: "Settings" };
const START: Route = { screen: "tools", item: "" };

/** The window: rail, screen, and the strip that stands on every screen. */
export function Frame() {
  const [kept, setRoute] = usePersisted<Route>("route", START);
  const [items, setItems] = usePersisted<Partial<Record<Screen, string>>>("items", {});
  const route = sound(kept);
  const main = useRef<HTMLElement>(null);
  const go = useCallback<Navigate>(
    (screen, item) => {
      setItems((now) => ({ ...(typeof now === "object" ? now : {}), ...(item === undefined ? {} : { [screen]: item }) }));
      setRoute({ screen, item: item ?? (typeof items[screen] === "string" ? items[screen] : "") });
    },
    [items, setItems, setRoute],
  );
  useEffect(() => {
    // A button that led here is gone with its screen; the keyboard goes on from the new one.
    if (document.activeElement === document.body || document.activeElement === null) main.current?.focus({ preventScroll: true });
  }, [route.screen, route.item]);
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      const screen = SCREENS[Number(event.key) - 1];
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || screen === undefined) return;
      event.preventDefault();
      go(screen);
    };
    window.addEventListener("keydown", keys);
    return () => window.removeEventListener("keydown", keys);
  }, [go]);
  const Current = screens[route.screen];
  return (
    <div className={classes["frame"]}>
      <Rail current={route.screen} onNavigate={go} />
      <div className={classes["body"]}>
        <Notices />
        <main ref={main} tabIndex={-1} className={classes["main"]}>
          <h1 className="unseen">{TITLES[route.screen]}</h1>
          <Boundary key={route.screen} name={TITLES[route.screen]}>
            <Current item={route.item} onNavigate={go} />
          </Boundary>
        </main>
        <Strip onNavigate={go} />
      </div>
      <ToastStack />
    </div>
  );
}

/** A route as it was kept may be of another version. */
function sound(route: Route): Route {
  const { screen, item } = (typeof route === "object" && route !== null ? route : START) as Partial<Route>;
  return screen !== undefined && SCREENS.includes(screen) && typeof item === "string" ? { screen, item } : START;
}
