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
  /** The program's home, which holds the library unless that is in a folder of its own. */
  home: string;
  /** Runs a command on the same library and returns what it printed. */
  cli: (...args: string[]) => Promise<string>;
  /** Starts a command on the same library that does not end by itself. */
  spawn: (...args: string[]) => Command;
  /** Types a path into the system's file dialog that is open, or about to open, and confirms it. */
  answerDialog: (title: string, path: string) => Promise<void>;
  /** The window's process. */
  pid: () => number | undefined;
  /** Ends the window; the library stays. */
  close: () => Promise<void>;
  /** Kills the window, which has no time to close the library. */
  kill: () => Promise<void>;
  /** Ends the window and starts it again on the same library. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}

/** A command that is under way. */
export interface Command {
  /** The end of what it has printed to stderr. */
  printed: () => string;
  /** Ends it. */
  end: () => Promise<void>;
}

/**
 * Starts the program; `prepare` may fill the library, which is in a folder of the home, before the window opens. `variables` are added to the
 * environment.
 */
export async function startProgram(
  prepare?: (program: Pick<Program, "cli" | "home">) => Promise<void>,
  folder = "",
  variables: NodeJS.ProcessEnv = {},
): Promise<Program> {
  const home = await mkdtemp(join(tmpdir(), "coppice-e2e-"));
  const environment = { ...programEnvironment(home), ...variables };
  environment.COPPICE_DB = join(home, folder, "coppice.db");
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
    spawn: (...args) => {
      const child = spawn(join(root, "build/bin/coppice"), args, {
        detached: true,
        env: environment,
        stdio: ["ignore", "ignore", "pipe"],
      });
      return { printed: hear(child), end: () => end(child) };
    },
    answerDialog: (title, path) => answerDialog(environment, title, path),
    pid: () => window.pid,
    close: () => end(window),
    kill: () => end(window, "SIGKILL"),
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
  const answers = () =>
    fetch(url)
      .then(({ ok }) => ok)
      .catch(() => false);
  return waitForWindow(child, answers, "answer");
}

/** Starts the program as a user does and waits until its window, which nothing reaches from outside, is visible. */
export function showWindow(environment: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(join(root, "build/bin/coppice"), [], {
    env: environment,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const visible = () =>
    run("xdotool", ["search", "--onlyvisible", "--name", "^Coppice$"], { env: environment })
      .then(({ stdout }) => stdout.trim() !== "")
      .catch(() => false);
  return waitForWindow(child, visible, "show its window");
}

/** Waits until the program is ready; if it ends before, or does not start, the failure contains its output. */
async function waitForWindow(
  child: ChildProcess,
  there: () => Promise<boolean>,
  what: string,
): Promise<ChildProcess> {
  const said = hear(child);
  const come = await until(async () => hasEnded(child) || (await there()), 30_000);
  if (come && !hasEnded(child)) return child;
  const how = hasEnded(child)
    ? `ended (${child.signalCode ?? child.exitCode}) before it could`
    : "did not in 30 s";
  await end(child);
  throw new Error(`the program was to ${what} and ${how}: ${said() || "it said nothing"}`);
}

/** Collects the last of what a process says on stderr. */
function hear(child: ChildProcess): () => string {
  let said = "";
  child.once("error", (reason) => {
    said += reason.message;
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000);
  });
  return () => said.trim();
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/**
 * Starts an X server on a display that it finds free itself, once it answers. It must not reset when its last client leaves, as it does
 * by itself: a program that connects just when xdotool has asked something and gone would find no display.
 */
export async function startScreen(
  size = "1280x900",
): Promise<{ server: ChildProcess; display: string }> {
  const server = spawn(
    "Xvfb",
    ["-displayfd", "1", "-screen", "0", `${size}x24`, "-nolisten", "tcp", "-noreset"],
    { detached: true, stdio: ["ignore", "pipe", "pipe"] },
  );
  const heard = hear(server);
  const display = await new Promise<string>((found, failed) => {
    let said = "";
    server.once("error", failed);
    server.once("close", () => failed(new Error(`the X server ended at its start: ${heard()}`)));
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
export async function answerDialog(
  environment: NodeJS.ProcessEnv,
  title: string,
  path: string,
): Promise<void> {
  const xdotool = (...args: string[]) => run("xdotool", args, { env: environment });
  const find = () => visibleWindow(environment, title);
  const dialog = await findDialog(environment, title);
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

/** Waits for a dialog of GTK and returns its window. */
export async function findDialog(environment: NodeJS.ProcessEnv, title: string): Promise<string> {
  const dialog = await until(() => visibleWindow(environment, title), 15_000);
  if (!dialog) throw new Error(`no dialog ${title} opened`);
  return dialog;
}

async function visibleWindow(environment: NodeJS.ProcessEnv, title: string): Promise<string> {
  const search = ["search", "--onlyvisible", "--name", `^${title}$`];
  const found = await run("xdotool", search, { env: environment }).catch(() => undefined);
  return found?.stdout.trim().split("\n")[0] ?? "";
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

export async function end(
  child: ChildProcess,
  signal: "SIGTERM" | "SIGKILL" = "SIGTERM",
): Promise<void> {
  if (hasEnded(child)) return;
  const ended = new Promise<void>((wake) => child.once("exit", () => wake()));
  // The group: the program and the processes of its view.
  const group = -(child.pid ?? 0);
  process.kill(group, signal);
  const patience = setTimeout(() => process.kill(group, "SIGKILL"), 5000);
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
