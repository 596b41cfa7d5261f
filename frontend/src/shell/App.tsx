import { Button, Loader, MantineProvider, useMantineColorScheme } from "@mantine/core";
import { useCallback, useEffect, useState } from "react";
import type { Backend } from "../api/backend";
import { type Fault, faultOf } from "../api/errors";
import type { Hello } from "../api/types";
import { BackendProvider, useBackend } from "../state/backend";
import { DeskProvider } from "../state/desk";
import { Kept, KeptProvider } from "../state/persisted";
import { useResource } from "../state/resource";
import { ToastProvider } from "../state/toasts";
import { Frame } from "./Frame";
import classes from "./shell.module.css";
import { schemeInMemory, theme, variables } from "./theme";

/** Waits before each further try while the program is still starting, in milliseconds. */
const TRIES = [150, 300, 600, 1_200, 2_400];

export function App({ backend }: { backend: Backend }) {
  const [manager] = useState(schemeInMemory);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto" colorSchemeManager={manager}>
      <BackendProvider backend={backend}>
        <Start />
      </BackendProvider>
    </MantineProvider>
  );
}

/** Greets the program, then shows the window. */
function Start() {
  const backend = useBackend();
  const [ready, setReady] = useState<{ hello: Hello; kept: Kept }>();
  const [fault, setFault] = useState<Fault>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    let ended = false;
    const greet = async () => {
      for (let at = 0; !ended; at++) {
        try {
          const hello = await backend.settings.hello();
          if (!ended) setReady({ hello, kept: new Kept(backend, hello.uiState) });
          return;
        } catch (thrown) {
          const found = faultOf(thrown);
          const wait = TRIES[at];
          if (found.code !== "unavailable" || wait === undefined) {
            if (!ended) setFault(found);
            return;
          }
          await new Promise((resolve) => setTimeout(resolve, wait));
        }
      }
    };
    void greet();
    return () => {
      ended = true;
    };
  }, [backend, round]);
  const retry = useCallback(() => {
    setFault(undefined);
    setRound((now) => now + 1);
  }, []);
  if (ready === undefined) return <Waiting fault={fault} onRetry={retry} />;
  return (
    <KeptProvider kept={ready.kept}>
      <ToastProvider>
        <DeskProvider hello={ready.hello}>
          <ThemeFollower />
          <Frame />
        </DeskProvider>
      </ToastProvider>
    </KeptProvider>
  );
}

function Waiting({ fault, onRetry }: { fault: Fault | undefined; onRetry: () => void }) {
  return (
    <main className={classes["middle"]} role="main">
      <h1 className={classes["middleTitle"]}>{fault === undefined ? "Countersign" : "Countersign did not start"}</h1>
      {fault === undefined ? (
        <Loader size="sm" aria-label="Starting" />
      ) : (
        <>
          <p role="status">{`${fault.message} ${fault.hint}`.trim()}</p>
          {fault.id !== "" && <p className={classes["quiet"]}>The program&apos;s log names it {fault.id}.</p>}
          <Button onClick={onRetry}>Try again</Button>
        </>
      )}
    </main>
  );
}

/** Follows the theme of the settings; "system" follows the desktop. */
function ThemeFollower() {
  const backend = useBackend();
  const { setColorScheme } = useMantineColorScheme();
  const settings = useResource("theme", () => backend.settings.get(), ["settings"]);
  const wanted = settings.data?.theme;
  useEffect(() => {
    if (wanted !== undefined) setColorScheme(wanted === "system" ? "auto" : wanted);
  }, [wanted, setColorScheme]);
  return null;
}
