import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const TESTS = ["src/**/*.test.{ts,tsx}", "src/test/**", "src/dev/**"];

/** What a part of the page must not import, with what to do instead. The bridge is closed to every part but one. */
const never = (...patterns) => ({
  "no-restricted-imports": ["error", { patterns: [{ group: ["**/wailsjs/**"], message: "Only src/api knows the bridge: use useBackend()." }, ...patterns] }],
});
const not = (group, message) => ({ group, message });
const BENCH = not(["**/dev/*", "**/api/fake", "**/api/fakeparts"], "Made-up data is for tests and the bench; it must not get into the page that ships.");
const SHELL = not(["**/shell/*"], "The shell shows the screens, not the other way round.");
const SCREENS = ["approvals", "history", "servers", "settings", "tools"];

const notScreens = (names, message) => ({ regex: `^(\\.\\./)+(${names.join("|")})(/|$)`, message });

/** A screen knows no other. They share components, and features/calls: how a call is shown wherever it stands. */
const screens = SCREENS.map((screen) => ({
  files: [`src/features/${screen}/**`],
  ignores: TESTS,
  rules: never(BENCH, SHELL, notScreens(SCREENS.filter((other) => other !== screen), "One screen does not import another: share it in components or features/calls.")),
}));

export default tseslint.config(
  { ignores: ["dist", "node_modules", "wailsjs", "e2e", "eslint.config.js", "postcss.config.js"] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { "react-hooks": hooks },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "no-restricted-syntax": [
        "error",
        { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: "Nothing becomes markup. Build elements." },
        { selector: "JSXAttribute[name.name='href']", message: "The window never navigates. Use a button and the back end." },
        { selector: "AssignmentExpression[left.property.name=/^(inner|outer)HTML$/]", message: "Nothing becomes markup. Build elements." },
        { selector: "CallExpression[callee.object.name='window'][callee.property.name='open']", message: "Addresses are opened by Go, by the id of their record." },
      ],
    },
  },
  { files: ["src/**"], ignores: [...TESTS, "src/api/**"], rules: never(BENCH) },
  { files: ["src/components/**"], ignores: TESTS, rules: never(BENCH, not(["**/features/**", "**/api/*", "**/state/*", "**/shell/*"], "Components know no back end and no feature: take data and callbacks.")) },
  { files: ["src/utils/**"], ignores: TESTS, rules: never(BENCH, not(["**/features/**", "**/components/**", "**/api/*", "**/state/*", "**/shell/*"], "utils only compute.")) },
  { files: ["src/state/**"], ignores: TESTS, rules: never(BENCH, not(["**/features/**", "**/components/**", "**/shell/*"], "State stands below what shows it.")) },
  { files: ["src/api/**"], ignores: TESTS, rules: { "no-restricted-imports": ["error", { patterns: [not(["**/features/**", "**/components/**", "**/state/*", "**/shell/*"], "The door to the back end knows nothing of the page.")] }] } },
  ...screens,
  { files: ["src/features/calls/**"], ignores: TESTS, rules: never(BENCH, SHELL, notScreens(SCREENS, "How a call is shown knows no screen.")) },
  { files: ["src/**"], ignores: ["src/api/**", "src/test/**"], rules: { "no-restricted-globals": ["error", { name: "go", message: "It would hide the bridge." }] } },
  { files: ["src/**/*.test.{ts,tsx}", "src/test/**"], rules: { "@typescript-eslint/no-empty-function": "off" } },
);
