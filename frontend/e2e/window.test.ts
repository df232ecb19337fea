// The real WebKitGTK window: no browser, no bindings reached from outside, only what a user has. Its pictures
// stay in build/artifacts.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { end, programEnvironment, showWindow, startScreen } from "./program";

const root = resolve(import.meta.dirname, "../..");
const artifacts = join(root, "build/artifacts");
const run = promisify(execFile);

let home: string;
let environment: NodeJS.ProcessEnv;
let screen: ChildProcess;
let window: ChildProcess;

beforeAll(async () => {
  await mkdir(artifacts, { recursive: true });
  home = await mkdtemp(join(tmpdir(), "coppice-window-"));
  const { server, display } = await startScreen("1280x800");
  screen = server;
  environment = { ...programEnvironment(home), DISPLAY: display };
  const program = join(root, "build/bin/coppice");
  await run(program, ["import", "--samples"], { env: environment });
  window = await showWindow(environment);
});

afterAll(async () => {
  if (window) await end(window);
  if (screen) await end(screen);
  if (home) await rm(home, { recursive: true, force: true });
});

/** Takes a picture of the screen once it has stopped changing. */
async function picture(name: string): Promise<string> {
  const path = join(artifacts, `${name}.png`);
  let before = "";
  for (let attempt = 0; attempt < 40; attempt++) {
    await new Promise((wake) => setTimeout(wake, 500));
    await run("import", ["-window", "root", path], { env: environment });
    const { stdout } = await run("identify", ["-format", "%# %k", path]);
    const [signature = "", colors = "0"] = stdout.split(" ");
    if (signature === before && Number(colors) > 50) return path;
    before = signature;
  }
  throw new Error(`the window did not come to rest: see ${path}`);
}

/** How many points of a part of two pictures differ. */
async function difference(one: string, other: string, part: string): Promise<number> {
  const crop = async (path: string, to: string) => {
    await run("convert", [path, "-crop", part, "+repage", to]);
    return to;
  };
  const a = await crop(one, join(home, "a.png"));
  const b = await crop(other, join(home, "b.png"));
  // compare ends with 1 where the pictures differ, and says on stderr by how many points.
  const { stderr } = await run("compare", ["-metric", "AE", a, b, "null:"]).catch(
    (reason: { stderr: string }) => reason,
  );
  return Number.parseInt(stderr, 10);
}

const sessionId = (n: number) => `7d2e0000-0000-4000-8000-00000000000${n}`;

/** A session of one prompt, as Claude Code writes it. */
function claudeSession(n: number): string {
  const record = {
    uuid: `7d2e0000-0000-4000-8000-0000000000a${n}`,
    parentUuid: null,
    type: "user",
    message: { role: "user", content: `Why is kiln ${n} cold?` },
    isSidechain: false,
    sessionId: sessionId(n),
    cwd: "/home/dev/kiln",
    version: "2.1.0",
    timestamp: "2025-11-20T09:00:00.000Z",
  };
  return `${JSON.stringify(record)}\n`;
}

/** Opens a small window at a place of the screen, to drag files from. */
async function openDragSource(x: number, y: number, paths: string[]): Promise<ChildProcess> {
  const program = join(home, "drag-source");
  const { stdout } = await run("pkg-config", ["--cflags", "--libs", "gtk+-3.0"]);
  const flags = stdout.trim().split(/\s+/);
  await run("gcc", [join(import.meta.dirname, "drag-source.c"), "-o", program, ...flags]);
  const urls = paths.map((path) => pathToFileURL(path).href);
  const source = spawn(program, [`${x}`, `${y}`, ...urls], { env: environment, stdio: "ignore" });
  await new Promise((wake) => setTimeout(wake, 1000));
  return source;
}

const libraryPane = "280x600+0+160";
const transcriptPane = "640x600+290+120";
const treePane = "330x500+945+120";

it("opens, shows the library, and a session is clicked and read", async () => {
  const library = await picture("window-library");
  await run("xdotool", ["mousemove", "140", "210", "click", "1", "mousemove", "640", "795"], {
    env: environment,
  });
  const session = await picture("window-session");
  expect(await difference(library, session, transcriptPane)).toBeGreaterThan(5000);
  expect(await difference(library, session, treePane)).toBeGreaterThan(1000);
  expect(await difference(library, session, libraryPane)).toBeLessThan(60_000); // the row, not the list
  await run("xdotool", ["mousemove", "610", "500", "click", "--repeat", "5", "5"], {
    env: environment,
  });
  const scrolled = await picture("window-scrolled");
  expect(await difference(session, scrolled, transcriptPane)).toBeGreaterThan(5000);
  expect(await difference(session, scrolled, libraryPane)).toBe(0);
});

it("has every command in its menu, and its keys without a menu bar", async () => {
  const before = await picture("window-keys-before");
  const whole = "1280x740+0+0";
  const press = (...keys: string[]) => run("xdotool", ["key", ...keys], { env: environment });
  const opening = { palette: "ctrl+k", settings: "ctrl+comma", statistics: "ctrl+shift+s" };
  for (const [name, key] of Object.entries(opening)) {
    await press(key);
    const open = await picture(`window-keys-${name}`);
    expect(await difference(before, open, whole), name).toBeGreaterThan(5000);
    await press("Escape");
  }
  await run("xdotool", ["mousemove", "1218", "22", "click", "1"], { env: environment });
  await press("Down", "Right");
  const menu = await picture("window-menu");
  expect(await difference(before, menu, "700x300+560+40")).toBeGreaterThan(5000);
  await press("Escape", "Escape");
  await run("xdotool", ["mousemove", "640", "795"], { env: environment });
});

it("imports files and folders that are dropped on it", async () => {
  const project = join(home, "-home-dev-kiln");
  await mkdir(project);
  await writeFile(join(project, `${sessionId(1)}.jsonl`), claudeSession(1));
  const alone = join(home, `${sessionId(2)}.jsonl`);
  await writeFile(alone, claudeSession(2));

  // What is under the pointer is highlighted.
  const away = () => run("xdotool", ["mousemove", "1220", "755"], { env: environment });
  await away();
  await new Promise((wake) => setTimeout(wake, 300));
  const before = await picture("window-before-drag");
  const source = await openDragSource(1200, 740, [project, alone]);
  const pointer = async (...steps: string[]) => {
    await run("xdotool", steps, { env: environment });
    await new Promise((wake) => setTimeout(wake, 150));
  };
  await pointer("mousemove", "1220", "755", "mousedown", "1");
  for (const place of ["1190 720", "1000 600", "800 500", "640 420", "640 400"]) {
    await pointer("mousemove", ...place.split(" "));
  }
  const over = await picture("window-drag");
  expect(await difference(before, over, transcriptPane)).toBeGreaterThan(50_000); // the overlay
  const ended = new Promise((wake) => source.once("exit", wake));
  await pointer("mouseup", "1");
  await ended;

  const program = join(root, "build/bin/coppice");
  await expect
    .poll(
      async () => {
        const { stdout } = await run(program, ["sessions", "--source", "claude_code", "--json"], {
          env: environment,
        });
        const sessions = JSON.parse(stdout) as { sourceId: string }[];
        return sessions.map(({ sourceId }) => sourceId);
      },
      { timeout: 15_000 },
    )
    .toEqual(expect.arrayContaining([sessionId(1), sessionId(2)]));
  // The page is still there, with the report over it.
  const report = await picture("window-dropped");
  expect(await difference(before, report, transcriptPane)).toBeGreaterThan(50_000);
  await run("xdotool", ["key", "Escape"], { env: environment });
  await away();
  await new Promise((wake) => setTimeout(wake, 300));
  const after = await picture("window-after-drop");
  expect(await difference(before, after, transcriptPane)).toBeLessThan(5000);
});

it("ends when it is asked to", async () => {
  const ended = new Promise<number | null>((wake) => window.once("exit", (code) => wake(code)));
  window.kill("SIGTERM");
  expect(await ended).toBe(0);
});
