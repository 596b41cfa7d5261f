import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [
    react(),
    {
      // The Go build embeds this folder, so it must never be empty.
      name: "keep-dist",
      closeBundle: () => {
        writeFileSync(resolve(import.meta.dirname, "dist/.keep"), "");
      },
    },
  ],
  build: {
    // The page's policy loads nothing but files of its own origin.
    assetsInlineLimit: 0,
    modulePreload: false,
    chunkSizeWarningLimit: 1500,
    target: "es2022",
    // Below these light-dark() is rewritten into variables that miss our own scheme switch.
    cssTarget: ["chrome123", "safari17.5"],
  },
  css: { modules: { localsConvention: "camelCase" } },
  test: { environment: "jsdom", setupFiles: ["src/test/setup.ts"], include: ["src/**/*.test.{ts,tsx}"], css: false, testTimeout: 20000 },
});
