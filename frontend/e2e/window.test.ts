// The real WebKitGTK window: no browser, no bindings reached from outside, only what a person has. Its pictures
// stay in build/artifacts.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { end, programEnvironment, startScreen } from "./program";

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
  window = spawn(program, [], { env: environment, detached: true, stdio: "ignore" });
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
    const [signature = "", colours = "0"] = stdout.split(" ");
    if (signature === before && Number(colours) > 50) return path;
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

const libraryPane = "280x600+0+160";
const transcriptPane = "640x600+290+120";
const treePane = "330x500+945+120";

it("opens, shows the library, and a session is clicked and read", async () => {
  const library = await picture("window-library");
  await run("xdotool", ["mousemove", "140", "240", "click", "1", "mousemove", "640", "795"], {
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

it("ends when it is asked to", async () => {
  const ended = new Promise<number | null>((wake) => window.once("exit", (code) => wake(code)));
  window.kill("SIGTERM");
  expect(await ended).toBe(0);
});
