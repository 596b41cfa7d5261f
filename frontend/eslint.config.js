import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const never = (group, message) => ({ "no-restricted-imports": ["error", { patterns: [{ group, message }] }] });

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
  { files: ["src/components/**"], rules: never(["**/features/**", "**/api/*", "**/state/*", "**/shell/*"], "Components know no back end and no feature: take data and callbacks.") },
  { files: ["src/utils/**"], rules: never(["**/features/**", "**/components/**", "**/api/*", "**/state/*", "**/shell/*"], "utils only compute.") },
  { files: ["src/**"], ignores: ["src/api/**", "src/test/**"], rules: { "no-restricted-globals": ["error", { name: "go", message: "It would hide the bridge." }] } },
  { files: ["src/**/*.test.{ts,tsx}", "src/test/**"], rules: { "@typescript-eslint/no-empty-function": "off" } },
);
