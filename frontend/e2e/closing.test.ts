// The real window: closing it while a session runs asks.

import { type ChildProcess, execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { end, programEnvironment, showWindow, startScreen } from "./program";
import { useScript } from "./scripts";

const run = promisify(execFile);
const program = resolve(import.meta.dirname, "../../build/bin/coppice");

let home: string;
let environment: NodeJS.ProcessEnv;
let screen: ChildProcess;
let window: ChildProcess;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "coppice-closing-"));
  const { server, display } = await startScreen();
  screen = server;
  environment = { ...programEnvironment(home), DISPLAY: display, COPPICE_E2E: "" };
  const answer = Array.from({ length: 20_000 }, (_, at) => `word ${at}`).join(" ");
  await useScript(
    { home },
    { tokensPerSecond: 50, turns: [{ alternatives: [[{ text: answer }]] }] },
  );
  window = await showWindow(environment);
});

afterAll(async () => {
  if (window) await end(window);
  if (screen) await end(screen);
  await rm(home, { recursive: true, force: true });
});

const xdotool = (...args: string[]) => run("xdotool", args, { env: environment });
const found = async (title: string) => {
  const { stdout } = await xdotool("search", "--onlyvisible", "--name", title).catch(() => ({
    stdout: "",
  }));
  return stdout.trim().split("\n")[0] ?? "";
};
const status = async (): Promise<string> => {
  const { stdout } = await run(program, ["sessions", "--json"], { env: environment });
  return JSON.parse(stdout)[0]?.status ?? "";
};
const patience = { timeout: 30_000 };

it("asks before it stops a session, and stops it so that it can be continued", async () => {
  const main = await found("^Coppice$");
  await xdotool("windowfocus", main);
  // Typed again until the page is there to hear it.
  await expect
    .poll(async () => {
      await xdotool("key", "ctrl+n");
      await xdotool("type", "--delay", "15", "talk");
      await xdotool("key", "Return");
      await new Promise((wake) => setTimeout(wake, 1500));
      return status();
    }, patience)
    .toBe("running");

  const asked = "^Stop and close";
  await xdotool("key", "ctrl+q");
  await expect.poll(() => found(asked), patience).not.toBe("");
  await xdotool("windowfocus", await found(asked));
  await xdotool("key", "Escape");
  await expect.poll(() => found(asked), patience).toBe("");
  expect(window.exitCode).toBeNull();
  expect(await status()).toBe("running");

  await xdotool("windowfocus", main);
  await xdotool("key", "ctrl+q");
  await expect.poll(() => found(asked), patience).not.toBe("");
  await xdotool("windowfocus", await found(asked));
  await xdotool("key", "alt+y");
  await expect.poll(() => window.exitCode, patience).toBe(0);
  expect(await status()).toBe("interrupted");
});
