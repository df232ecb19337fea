// Measures sessions in the real WebKitGTK window, which nothing drives from outside: a script in its page follows a plan,
// reports the result, and reloads the page for the next session.

import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { leaveFor, type Measured, measureFloor, measureSession, type Task } from "./measure-tree";
import { end, freePort, programEnvironment, startScreen } from "./program";

const root = resolve(import.meta.dirname, "../..");

/** What the page in the window reports. */
export interface Said {
  floorMs?: number;
  measured?: Measured;
  /** Why the session at this place of the plan could not be measured. */
  error?: string;
}

/**
 * Opens the window on the library of a home and yields what the page says, for each session of the plan once. A page that says
 * nothing for so long counts as failed, and the window is reopened for the next session.
 */
export async function* sayingWindow(
  home: string,
  plan: readonly Task[],
  small: string,
  patienceMs: number,
): AsyncGenerator<{ said: Said; window: ChildProcess }> {
  const folder = await mkdtemp(join(tmpdir(), "coppice-bench-"));
  const screen = await startScreen("1280x900");
  const environment = { ...programEnvironment(home), DISPLAY: screen.display, COPPICE_E2E: "" };
  try {
    for (let done = 0; done < plan.length; ) {
      const window = await openWindow(folder, environment, plan.slice(done), small);
      try {
        for await (const said of linesOf(window, patienceMs)) {
          yield { said, window };
          if (said.measured || said.error) done++;
          if (done === plan.length) break;
        }
      } finally {
        await end(window);
      }
    }
  } finally {
    await end(screen.server);
    await rm(folder, { recursive: true, force: true });
  }
}

async function openWindow(
  folder: string,
  environment: NodeJS.ProcessEnv,
  plan: readonly Task[],
  small: string,
): Promise<ChildProcess> {
  const dist = join(folder, "dist");
  await cp(join(root, "frontend/dist"), dist, { recursive: true });
  await writeFile(join(dist, "measure.js"), pageScript(plan, small));
  const index = await readFile(join(dist, "index.html"), "utf8");
  const script = '<script type="module" src="/measure.js"></script></head>';
  await writeFile(join(dist, "index.html"), index.replace("</head>", script));
  return spawn(join(root, "build/bin/coppice-dev"), [], {
    cwd: root,
    detached: true,
    env: {
      ...environment,
      assetdir: dist,
      devserver: `127.0.0.1:${await freePort()}`,
      loglevel: "Warning",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

function pageScript(plan: readonly Task[], small: string): string {
  return `
const measureSession = ${measureSession};
const measureFloor = ${measureFloor};
const leaveFor = ${leaveFor};
const say = (what) => window.runtime.LogPrint("measured " + JSON.stringify(what));
const done = Number(sessionStorage.getItem("done") ?? 0);
const task = ${JSON.stringify(plan)}[done];
if (task) {
  sessionStorage.setItem("done", done + 1);
  await new Promise((wake) => setTimeout(wake, 1500));
  if (done === 0) say({ floorMs: await measureFloor() });
  try {
    say({ measured: await measureSession(task) });
  } catch (reason) {
    say({ error: String(reason) });
  }
  await new Promise((wake) => setTimeout(wake, 500));
  await leaveFor(${JSON.stringify(small)});
  location.reload();
}`;
}

/** What the page prints comes on stderr; the last of it is a failure where it says nothing any more. */
async function* linesOf(window: ChildProcess, patienceMs: number): AsyncGenerator<Said> {
  if (!window.stderr) return;
  let others = "";
  let patience = setTimeout(() => window.kill("SIGKILL"), patienceMs);
  for await (const line of createInterface({ input: window.stderr })) {
    const [, said] = /measured (\{.*\})/.exec(line) ?? [];
    if (!said) {
      others = `${others}${line}\n`.slice(-300);
      continue;
    }
    clearTimeout(patience);
    yield JSON.parse(said) as Said;
    patience = setTimeout(() => window.kill("SIGKILL"), patienceMs);
  }
  clearTimeout(patience);
  yield { error: `the window said nothing for ${patienceMs / 1000} s, or ended. ${others}`.trim() };
}
