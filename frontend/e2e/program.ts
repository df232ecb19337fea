// Starts the real program for a test: a library of its own in a temporary folder, the window's
// backend behind the dev server, a screen for the system's dialogs, and the command line on the same library.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const root = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

export interface Program {
  /** The address of the window's page. */
  url: string;
  /** The folder that holds the library; also the program's home. */
  home: string;
  /** Runs a command on the same library and returns what it printed. */
  cli: (...args: string[]) => Promise<string>;
  /** Types a path into the system's file dialog that is open, or about to open, and confirms it. */
  answerDialog: (title: string, path: string) => Promise<void>;
  /** The window's process. */
  pid: () => number | undefined;
  /** Ends the window; the library stays. */
  close: () => Promise<void>;
  /** Ends the window and starts it again on the same library. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts the program; `prepare` may fill the library before the window opens. */
export async function startProgram(
  prepare?: (program: Pick<Program, "cli" | "home">) => Promise<void>,
): Promise<Program> {
  const home = await mkdtemp(join(tmpdir(), "coppice-e2e-"));
  const environment = programEnvironment(home);
  const cli = async (...args: string[]) => {
    const { stdout } = await run(join(root, "build/bin/coppice"), args, {
      env: environment,
      maxBuffer: 64 << 20,
    });
    return stdout;
  };
  await prepare?.({ cli, home });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const screen = await startScreen();
  environment.DISPLAY = screen.display;
  let window = await openWindow(environment, port, url);
  return {
    url,
    home,
    cli,
    answerDialog: (title, path) => answerDialog(environment, title, path),
    pid: () => window.pid,
    close: () => end(window),
    restart: async () => {
      await end(window);
      window = await openWindow(environment, port, url);
    },
    stop: async () => {
      await end(window);
      await end(screen.server);
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** The environment of a program that must not see anything of this machine's. */
export function programEnvironment(home: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: home,
    XDG_DATA_HOME: join(home, "data"),
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_STATE_HOME: join(home, "state"),
    CLAUDE_CONFIG_DIR: join(home, "claude"),
    COPPICE_DB: join(home, "coppice.db"),
    COPPICE_E2E: "1",
    TZ: "UTC",
    LANG: "C.UTF-8",
  };
}

async function openWindow(
  environment: NodeJS.ProcessEnv,
  port: number,
  url: string,
): Promise<ChildProcess> {
  const child = spawn(join(root, "build/bin/coppice-dev"), [], {
    cwd: root,
    detached: true,
    env: {
      ...environment,
      assetdir: join(root, "frontend/dist"),
      devserver: `127.0.0.1:${port}`,
      loglevel: "Warning",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000);
  });
  for (let attempt = 0; attempt < 300; attempt++) {
    if (child.exitCode !== null) throw new Error(`the program ended at its start: ${said}`);
    try {
      const answer = await fetch(url);
      if (answer.ok) return child;
    } catch {
      // Not listening yet.
    }
    await sleep(100);
  }
  await end(child);
  throw new Error(`the program did not answer: ${said}`);
}

/** Starts an X server on a free display. */
export async function startScreen(
  size = "1280x900",
): Promise<{ server: ChildProcess; display: string }> {
  const server = spawn(
    "Xvfb",
    ["-displayfd", "1", "-screen", "0", `${size}x24`, "-nolisten", "tcp"],
    {
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const display = await new Promise<string>((found, failed) => {
    let said = "";
    server.once("error", failed);
    server.once("exit", () => failed(new Error("the X server ended at its start")));
    server.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said.endsWith("\n")) found(`:${said.trim()}`);
    });
  });
  return { server, display };
}

/**
 * Types into a dialog of GTK, which has no other door. A path that begins with a slash opens its field. A busy machine may
 * not have the dialog ready for keys when it is there to be seen, so they are typed again until it has gone.
 */
async function answerDialog(environment: NodeJS.ProcessEnv, title: string, path: string) {
  const xdotool = (...args: string[]) => run("xdotool", args, { env: environment });
  const find = async () => {
    const found = await xdotool("search", "--onlyvisible", "--name", `^${title}$`).catch(
      () => undefined,
    );
    return found?.stdout.trim().split("\n")[0] ?? "";
  };
  const dialog = await until(find, 15_000);
  if (!dialog) throw new Error(`no dialog ${title} opened`);
  for (let attempt = 0; attempt < 3; attempt++) {
    await sleep(500);
    await xdotool("windowfocus", dialog);
    await xdotool("key", "ctrl+a");
    await xdotool("type", "--delay", "20", path);
    await sleep(300);
    await xdotool("key", "Return");
    if (await until(async () => (await find()) === "", 5_000)) return;
  }
  throw new Error(`the dialog ${title} did not take ${path}`);
}

/** Asks ten times a second until there is something, or the time is up; then what there was last. */
async function until<T>(ask: () => Promise<T>, timeoutMs: number): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer || Date.now() > end) return answer;
    await sleep(100);
  }
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const ended = new Promise<void>((wake) => child.once("exit", () => wake()));
  // The group: the program and the processes of its view.
  process.kill(-child.pid, "SIGTERM");
  const patience = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), 5000);
  await ended;
  clearTimeout(patience);
}

export function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer();
    server.once("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === "object") found(address.port);
        else failed(new Error("no free port"));
      });
    });
  });
}
