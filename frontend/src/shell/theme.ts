import { Button, createTheme, type CSSVariablesResolver, type MantineColorSchemeManager, type MantineColorsTuple, Modal } from "@mantine/core";

/** The one accent: a deep ink blue. */
const ink: MantineColorsTuple = ["#eef2fa", "#dbe3f3", "#b6c6e6", "#93abdc", "#6a8aca", "#4a6db8", "#34569f", "#254384", "#1b3469", "#132650"];

const SYSTEM = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';

export const theme = createTheme({
  colors: { ink },
  primaryColor: "ink",
  primaryShade: { light: 7, dark: 5 },
  fontFamily: SYSTEM,
  fontFamilyMonospace: 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace',
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.25rem" },
  headings: {
    fontFamily: SYSTEM,
    fontWeight: "600",
    sizes: { h1: { fontSize: "1.25rem", lineHeight: "1.3" }, h2: { fontSize: "1rem", lineHeight: "1.4" }, h3: { fontSize: "0.875rem", lineHeight: "1.4" } },
  },
  defaultRadius: "sm",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Button: Button.extend({ defaultProps: { size: "sm" } }),
    Modal: Modal.extend({ defaultProps: { centered: true, transitionProps: { duration: 0 } } }),
  },
});

/** Mantine's own greys for quiet words fail AA; these do not. */
export const variables: CSSVariablesResolver = () => {
  const common = { "--mantine-color-dimmed": "var(--quiet)", "--mantine-color-placeholder": "var(--quiet)", "--mantine-color-error": "var(--bad)" };
  return { variables: {}, light: common, dark: common };
};

/** The theme is a setting of the program, so nothing is kept in the web view. */
export function schemeInMemory(): MantineColorSchemeManager {
  let now: "light" | "dark" | "auto" | undefined;
  return {
    get: (otherwise) => now ?? otherwise,
    set: (value) => {
      now = value;
    },
    subscribe: () => undefined,
    unsubscribe: () => undefined,
    clear: () => {
      now = undefined;
    },
  };
}
