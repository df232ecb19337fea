// The tree at sizes nobody has seen: in chromium, and in the real WebKitGTK window.

import { type ChildProcess, spawn } from "node:child_process";
import { access, cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, it } from "vitest";
import { addRow, isQuick, median, timed, told } from "./bench-rows";
import { openBrowser, openPage } from "./browser";
import { type SessionShape, writeSession } from "./large-session";
import { measureFloor, measureTree, type TreeTimes } from "./measure-tree";
import {
  end,
  freePort,
  type Program,
  programEnvironment,
  startProgram,
  startScreen,
} from "./program";

const root = resolve(import.meta.dirname, "../..");
const size = (messages: number) => (isQuick ? messages / 10 : messages);
const shapes: readonly SessionShape[] = ["agent", "chat", "bushy", "chain"];
const large = size(100_000);
const titles = shapes.map((shape) => `${shape} of ${large}`);
const comb = `comb of ${size(10_000)}`;
const huge = `agent of ${size(1_000_000)}`;
const rounds = 3;
const patienceMs = 180_000;
const budgets = { firstViewMs: 150, layoutMs: 50, chromiumFrameMs: 17, webkitFrameMs: 23 };

let program: Program;

beforeAll(async () => {
  program = await startProgram(async ({ cli, home }) => {
    for (const title of [...titles, comb, huge]) {
      const [shape, , count] = title.split(" ");
      const file = join(home, "session.json");
      await writeSession(file, shape as SessionShape, Number(count));
      await cli("import", file);
      await rm(file);
    }
  });
});

afterAll(async () => {
  await program?.stop();
});

/** What was measured, with the memory of the page's process when it was done. */
interface Measured extends TreeTimes {
  bytes: number;
}

it("in chromium", async () => {
  const executable = process.env.CHROMIUM ?? "/usr/bin/chromium";
  if (!(await exists(executable)))
    return addRow(
      told("tree in chromium", "skipped: there is no chromium (apt-get install chromium)"),
    );
  const browser = await openBrowser();
  const measured: Measured[] = [];
  const floors: number[] = [];
  // A page, and so a process, for each session.
  const measure = async (title: string) => {
    const page = await openPage(browser, program.url);
    floors.push(await page.evaluate(measureFloor));
    const times = await page.evaluate(measureTree, title);
    const devtools = await browser.newCDPSession(page);
    await devtools.send("HeapProfiler.collectGarbage");
    measured.push({ ...times, bytes: await pageBytes(process.pid, "--type=renderer") });
    await page.close();
  };
  try {
    for (let round = 0; round < rounds; round++)
      for (const title of [...titles, comb]) await measure(title);
    await measure(huge);
  } finally {
    await browser.close();
  }
  await addRows("chromium", measured, floors, budgets.chromiumFrameMs);
});

it("in the window", async () => {
  await program.close();
  const measured: Measured[] = [];
  const floors: number[] = [];
  const folder = await mkdtemp(join(tmpdir(), "coppice-bench-"));
  const dist = join(folder, "dist");
  const screen = await startScreen("1280x900");
  const plan = [...Array.from({ length: rounds }, () => [...titles, comb]).flat(), huge];
  await cp(join(root, "frontend/dist"), dist, { recursive: true });
  await writeFile(join(dist, "measure.js"), pageScript(plan));
  const index = await readFile(join(dist, "index.html"), "utf8");
  const script = '<script type="module" src="/measure.js"></script></head>';
  await writeFile(join(dist, "index.html"), index.replace("</head>", script));
  const window = spawn(join(root, "build/bin/coppice-dev"), [], {
    cwd: root,
    detached: true,
    env: {
      ...programEnvironment(program.home),
      COPPICE_E2E: "",
      DISPLAY: screen.display,
      assetdir: dist,
      devserver: `127.0.0.1:${await freePort()}`,
      loglevel: "Warning",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    for await (const line of saidBy(window)) {
      const { times, floorMs, error } = line;
      if (error) throw new Error(error);
      if (floorMs) floors.push(floorMs);
      if (times)
        measured.push({ ...times, bytes: await pageBytes(window.pid, "WebKitWebProcess") });
      if (measured.length === plan.length) break;
    }
  } finally {
    await end(window);
    await end(screen.server);
    await rm(folder, { recursive: true, force: true });
  }
  await addRows("WebKitGTK", measured, floors, budgets.webkitFrameMs);
});

/** What the page in the window says of itself. */
interface Said {
  times?: TreeTimes;
  floorMs?: number;
  error?: string;
}

/** Measures one session after the other, each in a page that was loaded for it, and prints what came of it. */
function pageScript(plan: readonly string[]): string {
  return `
const measureTree = ${measureTree};
const measureFloor = ${measureFloor};
const say = (what) => window.runtime.LogPrint("measured " + JSON.stringify(what));
const done = Number(sessionStorage.getItem("done") ?? 0);
const title = ${JSON.stringify(plan)}[done];
if (title) try {
  await new Promise((wake) => setTimeout(wake, 2000));
  if (done === 0) say({ floorMs: await measureFloor() });
  say({ times: await measureTree(title) });
  sessionStorage.setItem("done", done + 1);
  await new Promise((wake) => setTimeout(wake, 1000));
  location.reload();
} catch (reason) { say({ error: String(reason) }); }`;
}

/** What the page prints comes on stderr. A window that says nothing for minutes is ended. */
async function* saidBy(window: ChildProcess): AsyncGenerator<Said> {
  if (!window.stderr) return;
  let others = "";
  let patience = setTimeout(() => window.kill(), patienceMs);
  for await (const line of createInterface({ input: window.stderr })) {
    const [, said] = /measured (\{.*\})/.exec(line) ?? [];
    if (!said) {
      others = `${others}${line}\n`.slice(-2000);
      continue;
    }
    clearTimeout(patience);
    yield JSON.parse(said) as Said;
    patience = setTimeout(() => window.kill(), patienceMs);
  }
  clearTimeout(patience);
  throw new Error(`the window ended before it was measured: ${others}`);
}

async function addRows(engine: string, all: Measured[], floors: number[], frameMs: number) {
  const of = (title: string, figure: keyof Omit<Measured, "title">) =>
    median(all.filter((one) => one.title === title).map((one) => one[figure]));
  await addRow(told(`${engine}: frame of a page at rest`, `${median(floors).toFixed(1)} ms`));
  for (const title of [...titles, comb]) {
    const name = `${engine}: tree of ${title}`;
    await addRow(timed(`${name}, first view`, of(title, "firstViewMs"), budgets.firstViewMs));
    if (of(title, "layoutMs") > 0)
      await addRow(timed(`${name}, layout`, of(title, "layoutMs"), budgets.layoutMs));
    await addRow(timed(`${name}, frame of the outline scrolling`, of(title, "outlineMs"), frameMs));
    for (const [figure, what] of zooms)
      await addRow(timed(`${name}, frame of the map ${what}`, of(title, figure), frameMs));
    await addRow(told(`${name}, memory of the page`, `${Math.round(of(title, "bytes") / 1e6)} MB`));
  }
  const times = all.find(({ title }) => title === huge);
  if (!times) throw new Error(`${huge} did not open`);
  const figure = `first view ${times.firstViewMs.toFixed(0)} ms, layout ${times.layoutMs.toFixed(0)} ms, frames ${times.outlineMs.toFixed(1)} and ${times.mapMs.toFixed(1)} ms, ${Math.round(times.bytes / 1e6)} MB`;
  await addRow(told(`${engine}: tree of ${huge} opens`, figure));
}

const zooms = [
  ["mapMs", "as it opens"],
  ["mapFarMs", "all in sight"],
  ["mapNearMs", "close up"],
] as const;

/** The memory of the largest process below another one that was started with a word; what is shared counts in part. */
async function pageBytes(ancestor: number | undefined, word: string): Promise<number> {
  const parents = new Map<number, number>();
  const named: number[] = [];
  for (const entry of await readdir("/proc")) {
    const pid = Number(entry);
    if (!pid) continue;
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    parents.set(pid, Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (command.includes(word)) named.push(pid);
  }
  let most = 0;
  for (const pid of named) {
    let above = pid;
    while (above > 1 && above !== ancestor) above = parents.get(above) ?? 0;
    if (above !== ancestor) continue;
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
    most = Math.max(most, 1024 * Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0));
  }
  return most;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
