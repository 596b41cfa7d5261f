import "./trusted";
import "@mantine/core/styles.css";
import "./shell/tokens.css";
import { createRoot } from "react-dom/client";
import { wailsBackend } from "./api/wails";
import { App } from "./shell/App";
import { guardWindow } from "./shell/guards";

guardWindow(window);
const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<App backend={wailsBackend()} />);
