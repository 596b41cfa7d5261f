import { MantineProvider } from "@mantine/core";
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ComponentType, useState } from "react";
import { type Fake, fakeBackend, type World } from "../api/fake";
import { BackendProvider } from "../state/backend";
import { DeskProvider } from "../state/desk";
import { Kept, KeptProvider } from "../state/persisted";
import type { Navigate, Screen as ScreenName } from "../state/route";
import { ToastProvider } from "../state/toasts";
import { ToastStack } from "../shell/ToastStack";

export interface Stage {
  fake: Fake;
  user: ReturnType<typeof userEvent.setup>;
  /** Where the screen asked to go, "screen" or "screen item". */
  went: string[];
  /** Every call of one changing method, by its arguments. */
  did: (name: string) => unknown[][];
}

interface Props {
  item: string;
  onNavigate: Navigate;
}

/** Shows one screen as the window does, on a back end in memory. It follows navigation within itself. */
export function stage(Screen: ComponentType<Props>, name: ScreenName, world: Partial<World> = {}, item = ""): Stage {
  const fake = fakeBackend(world);
  const went: string[] = [];
  function Shown() {
    const [current, setCurrent] = useState(item);
    const go: Navigate = (screen, next) => {
      went.push(next === undefined ? screen : `${screen} ${next}`);
      if (screen === name && next !== undefined) setCurrent(next);
    };
    return <Screen item={current} onNavigate={go} />;
  }
  const hello = { version: "0", dataDir: "/d", keyring: { persistent: true, reason: "" }, paused: fake.world.paused, notices: [], uiState: {} };
  render(
    <MantineProvider env="test">
      <BackendProvider backend={fake}>
        <KeptProvider kept={new Kept(fake, fake.world.ui)}>
          <ToastProvider>
            <DeskProvider hello={hello}>
              <Shown />
              <ToastStack />
            </DeskProvider>
          </ToastProvider>
        </KeptProvider>
      </BackendProvider>
    </MantineProvider>,
  );
  return { fake, user: userEvent.setup(), went, did: (method) => fake.did.filter((one) => one.name === method).map((one) => one.args) };
}

/** Makes list and detail stand side by side, as in a wide window. */
export function wideWindow(): void {
  window.matchMedia = (query) =>
    ({ matches: query.includes("min-width"), media: query, onchange: null, addEventListener: () => undefined, removeEventListener: () => undefined, addListener: () => undefined, removeListener: () => undefined, dispatchEvent: () => false }) as MediaQueryList;
}

/** Gives every element a size, so that lists which draw only what is in sight draw something. */
export function laidOut(): void {
  Object.defineProperty(HTMLElement.prototype, "clientHeight", { configurable: true, value: 600 });
  Object.defineProperty(HTMLElement.prototype, "clientWidth", { configurable: true, value: 400 });
}
