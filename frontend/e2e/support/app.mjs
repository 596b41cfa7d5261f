// Starts the real back end: the development build, whose window also serves the
// page to a browser. Needs a display and a session bus (build/linux/headless.sh).
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const top = fileURLToPath(new URL("../../..", import.meta.url));
export const program = path.join(top, "build/bin/countersign-dev");

/** A port that was free a moment ago. */
async function freePort() {
  const server = net.createServer().listen(0, "localhost");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** Whether something takes connections there. */
function answers(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, "localhost");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** One data folder and the program that runs on it; start and stop it as often as wanted. */
export class App {
  /** @param {string} home a temporary folder, everything of the person under it */
  constructor(home) {
    this.home = home;
    this.dataDir = path.join(home, "data");
    /** Holds the path that dialogs for files give; see choose(). */
    this.choice = path.join(home, "choice");
    this.url = "";
    this.output = "";
    this.process = null;
  }

  static async create() {
    return new App(await mkdtemp(path.join(os.tmpdir(), "countersign-e2e-")));
  }

  async start() {
    const port = await freePort();
    this.output = "";
    this.process = spawn(program, ["--data-dir", this.dataDir], {
      cwd: top,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        HOME: this.home,
        XDG_CONFIG_HOME: path.join(this.home, ".config"),
        XDG_CACHE_HOME: path.join(this.home, ".cache"),
        XDG_DATA_HOME: path.join(this.home, ".local/share"),
        COUNTERSIGN_DEV_CHOICE: this.choice,
        devserver: `localhost:${port}`,
        assetdir: "frontend/dist",
      },
    });
    this.process.stdout.on("data", (chunk) => (this.output += chunk));
    this.process.stderr.on("data", (chunk) => (this.output += chunk));
    this.ended = once(this.process, "exit");
    this.url = `http://localhost:${port}`;
    for (const deadline = Date.now() + 60_000; !(await answers(port)); await sleep(100)) {
      if (this.process.exitCode !== null || Date.now() > deadline) {
        throw new Error(`the program does not answer at ${this.url}:\n${this.output}`);
      }
    }
  }

  /** What the next dialogs for files and folders give. */
  async choose(chosen) {
    await writeFile(this.choice, chosen);
  }

  /** Ends the program as a session manager does. */
  async stop() {
    if (!this.process) return;
    if (this.process.exitCode === null && this.process.signalCode === null) {
      this.process.kill("SIGTERM");
      const late = setTimeout(() => this.process.kill("SIGKILL"), 20_000);
      await this.ended;
      clearTimeout(late);
    }
    this.process = null;
  }

  async restart() {
    await this.stop();
    await this.start();
  }

  async remove() {
    await this.stop();
    // The web view's own processes may still write to their cache while they end.
    await rm(this.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
