/** The whole page on a fake back end: `app.html?screen=servers&item=files&theme=dark&world=empty`. Served by Vite in development only. */
import "@mantine/core/styles.css";
import "../shell/tokens.css";
import { createRoot } from "react-dom/client";
import { fakeBackend } from "../api/fake";
import type { Theme } from "../api/types";
import { App } from "../shell/App";
import { fullWorld } from "./world";

const query = new URLSearchParams(location.search);
const backend = fakeBackend(query.get("world") === "empty" ? {} : fullWorld());
backend.world.settings.theme = (query.get("theme") ?? "system") as Theme;
backend.world.ui["route"] = JSON.stringify({ screen: query.get("screen") ?? "approvals", item: query.get("item") ?? "" });
for (const name of query.getAll("fail")) backend.world.failing.set(name, "The program did not answer.");
if (query.has("paused")) backend.world.paused = true;

const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<App backend={backend} />);
