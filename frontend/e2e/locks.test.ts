// The window's file dialogs look into the library's own folder. They used to open and close its files in the window's process, which
// dropped the locks on them, and the library was lost.

import { type ChildProcess, execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  answerDialog,
  end,
  findDialog,
  programEnvironment,
  showWindow,
  startScreen,
} from "./program";

const root = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

let home: string;
let library: string;
let environment: NodeJS.ProcessEnv;
let screen: ChildProcess;
let window: ChildProcess;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "coppice-locks-"));
  const { server, display } = await startScreen("1280x800");
  screen = server;
  environment = { ...programEnvironment(home), DISPLAY: display };
  library = join(home, "coppice.db");
  await run(join(root, "build/bin/coppice"), ["import", "--samples"], { env: environment });
  window = await showWindow(environment);
});

afterAll(async () => {
  if (window) await end(window);
  if (screen) await end(screen);
  if (home) await rm(home, { recursive: true, force: true });
});

/** The record locks on the library that are held as long as it is open. */
async function locks(): Promise<string[]> {
  const names = new Map<string, string>();
  for (const path of [library, `${library}-shm`]) {
    const { ino } = await stat(path);
    names.set(`${ino}`, basename(path));
  }
  const table = await readFile("/proc/locks", "utf8");
  return table
    .split("\n")
    .map((line) => line.split(/\s+/))
    .filter(([, kind, , mode, , , from]) => {
      return (
        kind?.match(/OFDLCK|POSIX/) && mode === "READ" && /^(128|1073741826)$/.test(from ?? "")
      );
    })
    .map(([, kind, , , , inode, from]) => ({
      kind,
      from,
      name: names.get(inode?.split(":")[2] ?? ""),
    }))
    .filter(({ name }) => name !== undefined)
    .map(({ kind, from, name }) => `${name} ${kind} ${from}`)
    .sort();
}

const held = ["coppice.db OFDLCK 1073741826", "coppice.db-shm OFDLCK 128"];

async function xdotool(...args: string[]): Promise<string> {
  return (await run("xdotool", args, { env: environment })).stdout.trim();
}

/** Presses a key in the window. */
async function press(...keys: string[]) {
  const [found = ""] = (await xdotool("search", "--onlyvisible", "--name", "^Coppice$")).split(
    "\n",
  );
  await xdotool("windowfocus", found);
  await xdotool("key", ...keys);
}

/** Runs a command of the palette. */
async function command(title: string) {
  await press("Escape", "ctrl+k");
  await new Promise((wake) => setTimeout(wake, 1000));
  await xdotool("type", "--delay", "20", title);
  await new Promise((wake) => setTimeout(wake, 1000));
  await press("Return");
}

/** Writes a session of Claude Code's and returns its file. */
async function session(id: string): Promise<string> {
  const folder = join(home, "sessions", id);
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${id}.jsonl`);
  const record = {
    uuid: id.replace(/^8/, "9"),
    parentUuid: null,
    type: "user",
    message: { role: "user", content: "Which lock is mine?" },
    isSidechain: false,
    sessionId: id,
    cwd: "/home/dev/locks",
    version: "2.1.0",
    timestamp: "2025-11-20T09:00:00.000Z",
  };
  await writeFile(path, `${JSON.stringify(record)}\n`);
  return path;
}

async function imported(): Promise<string[]> {
  const program = join(root, "build/bin/coppice");
  const { stdout } = await run(program, ["sessions", "--source", "claude_code", "--json"], {
    env: environment,
  });
  return (JSON.parse(stdout) as { sourceId: string }[]).map(({ sourceId }) => sourceId);
}

/**
 * Opens a dialog by keys, looks into the library's folder, checks the locks meanwhile, and chooses a path. A page that was not ready for
 * the keys gets them again.
 */
async function lookAndChoose(title: string, path: string, open: () => Promise<void>) {
  let dialog = "";
  for (let attempt = 0; attempt < 5 && dialog === ""; attempt++) {
    await open();
    dialog = await findDialog(environment, title).catch(() => "");
  }
  expect(await xdotool("getwindowpid", dialog)).not.toBe(`${window.pid}`);
  await xdotool("windowfocus", dialog);
  await xdotool("type", "--delay", "20", `${home}/copp`); // GTK lists the folder to complete the name
  await new Promise((wake) => setTimeout(wake, 1000));
  expect(await locks()).toEqual(held);
  await answerDialog(environment, title, path);
  expect(await locks()).toEqual(held);
}

const folderId = "8d2e0000-0000-4000-8000-000000000001";
const fileId = "8d2e0000-0000-4000-8000-000000000002";

it("keeps its locks while a folder is chosen, and imports it", async () => {
  const path = await session(folderId);
  await expect.poll(locks, { timeout: 15_000 }).toEqual(held);
  await lookAndChoose("Import a folder of sessions", resolve(path, ".."), () =>
    press("ctrl+shift+o"),
  );
  await expect.poll(imported, { timeout: 30_000 }).toContain(folderId);
  await press("Escape");
});

it("keeps its locks while files are chosen, and imports them", async () => {
  const path = await session(fileId);
  await lookAndChoose("Import session files", path, () => command("Import files"));
  await expect.poll(imported, { timeout: 30_000 }).toContain(fileId);
  await press("Escape");
});

it("keeps its locks while the file of a backup is chosen, and writes it", async () => {
  const path = join(home, "backup.db");
  await lookAndChoose("Back up library", path, () => command("Back up library"));
  await expect
    .poll(
      () =>
        stat(path).then(
          ({ size }) => size > 0,
          () => false,
        ),
      { timeout: 30_000 },
    )
    .toBe(true);
  await press("Escape");
});

it("keeps its locks while an image for a prompt is chosen", async () => {
  const path = join(root, "docs/map.png");
  await lookAndChoose("Choose files", path, async () => {
    await press("Escape", "ctrl+n");
    await new Promise((wake) => setTimeout(wake, 1000));
    await press("Tab", "Tab", "Tab", "Tab", "Tab", "space");
  });
  await expect.poll(locks).toEqual(held);
});

it("leaves one file behind", async () => {
  await end(window);
  await expect(stat(`${library}-wal`)).rejects.toThrow("ENOENT");
  const { stdout } = await run(join(root, "build/bin/coppice"), ["db", "check"], {
    env: environment,
  });
  expect(stdout).not.toContain("damaged");
  expect(await imported()).toEqual(expect.arrayContaining([folderId, fileId]));
});
