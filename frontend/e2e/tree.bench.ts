// Sessions at sizes nobody has seen: in chromium, and in the real WebKitGTK window. app/bench makes them and starts this.

import { access, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, it } from "vitest";
import { addRow, failed, median, plainRow, timed } from "./bench-rows";
import { sayingWindow } from "./bench-window";
import { openBrowser, openPage } from "./browser";
import {
  leaveFor,
  type Measured,
  type MoveTimes,
  measureFloor,
  measureSession,
  type Task,
} from "./measure-tree";
import { pageBytes, processBytes } from "./page-memory";
import { type Program, startProgram } from "./program";

/** The titles of the sessions, as app/bench/screenlibrary.go says them. */
interface Sessions {
  trees: string[];
  comb: string;
  huge: string;
  lines: string;
  small: string;
}

const sessions: Sessions = JSON.parse(process.env.COPPICE_BENCH_SESSIONS ?? "{}");
const library = process.env.COPPICE_BENCH_LIBRARY ?? "";
const budgets = { openMs: 150, layoutMs: 50, chromiumFrameMs: 17, webkitFrameMs: 23 };
/** How long one session may take, all that is done with it included. */
const patienceMs = 90_000;
/** How often each session is opened; in the first round it is moved about in too. */
const rounds = 3;

let program: Program;

beforeAll(async () => {
  program = await startProgram(({ home }) => symlink(library, join(home, "coppice.db")));
});

afterAll(async () => {
  await program?.stop();
});

/** What was measured, with the memory of the page's process and of the program when it was done. */
interface Figures extends Measured {
  pageBytes: number;
  programBytes: number;
}

/** All that was measured in one engine. */
class Bench {
  readonly engine: string;
  readonly frameMs: number;
  readonly figures: Figures[] = [];
  readonly floors: number[] = [];
  readonly errors = new Map<string, unknown>();

  constructor(engine: string, frameMs: number) {
    this.engine = engine;
    this.frameMs = frameMs;
  }

  /** What is left to do, in its order; nothing more with a session that has failed. */
  *plan(): Generator<Task> {
    const { trees, comb, huge, lines, small } = sessions;
    for (let round = 0; round < rounds; round++)
      for (const title of [...trees, comb, lines])
        if (!this.errors.has(title)) yield { title, small, moves: round === 0 && title !== lines };
    yield { title: huge, small, moves: true };
  }

  add(figures: Figures) {
    this.figures.push(figures);
    const opened = `${figures.firstMessageMs.toFixed(0)} and ${figures.firstViewMs.toFixed(0)} ms`;
    this.tell(`${figures.title} opened in ${opened}`);
  }

  fail(title: string, reason: unknown) {
    this.errors.set(title, reason);
    this.tell(`${title} failed: ${reason}`);
  }

  tell(what: string) {
    process.stderr.write(`  ${this.engine}: ${what}\n`);
  }

  async addRows() {
    const { engine } = this;
    await addRow(
      plainRow(`${engine}: frame of a page at rest`, `${median(this.floors).toFixed(1)} ms`),
    );
    for (const title of [...sessions.trees, sessions.comb]) await this.#addTree(title);
    await this.#addLines(sessions.lines);
    await this.#addHuge(sessions.huge);
    for (const [title, reason] of this.errors) await addRow(failed(`${engine}: ${title}`, reason));
  }

  async #addTree(title: string) {
    const all = this.#of(title);
    if (all.length === 0) return;
    const name = `${this.engine}: tree of ${title}`;
    const middle = (figure: "firstViewMs" | "layoutMs") => median(all.map((one) => one[figure]));
    await addRow(timed(`${name}, first view`, middle("firstViewMs"), budgets.openMs));
    if (middle("layoutMs") > 0)
      await addRow(timed(`${name}, layout`, middle("layoutMs"), budgets.layoutMs));
    const moves = all.find((one) => one.moves)?.moves;
    for (const [figure, what] of moves ? movements : [])
      if (moves) await addRow(timed(`${name}, frame of ${what}`, moves[figure], this.frameMs));
    await addRow(plainRow(`${name}, memory`, memoryOf(all)));
  }

  async #addLines(title: string) {
    const all = this.#of(title);
    if (all.length === 0) return;
    const name = `${this.engine}: a session of 200 MB of lines`;
    const ms = median(all.map((one) => one.firstMessageMs));
    await addRow(timed(`${name}, from the click to its first message`, ms, budgets.openMs));
    await addRow(plainRow(`${name}, memory`, memoryOf(all)));
  }

  async #addHuge(title: string) {
    const [one] = this.#of(title);
    if (!one) return;
    const frames = one.moves
      ? `, frames ${one.moves.outlineMs.toFixed(1)} and ${one.moves.mapMs.toFixed(1)} ms`
      : "";
    const opened = `${one.firstMessageMs.toFixed(0)} ms, first view ${one.firstViewMs.toFixed(0)} ms, layout ${one.layoutMs.toFixed(0)} ms`;
    const name = `${this.engine}: tree of ${title} opens`;
    await addRow(plainRow(name, `first message ${opened}${frames}, ${memoryOf([one])}`));
  }

  #of(title: string): Figures[] {
    return this.figures.filter((one) => one.title === title);
  }
}

function memoryOf(all: readonly Figures[]): string {
  const megabytes = (figure: "pageBytes" | "programBytes") =>
    Math.round(Math.max(...all.map((one) => one[figure])) / 1e6);
  return `page ${megabytes("pageBytes")} MB, program ${megabytes("programBytes")} MB`;
}

const movements: readonly (readonly [keyof MoveTimes, string])[] = [
  ["outlineMs", "the outline scrolling"],
  ["mapMs", "the map panning as it opens"],
  ["mapFarMs", "the map panning, all in sight"],
  ["mapNearMs", "the map panning close up"],
  ["mapZoomMs", "the map zooming"],
];

it("in chromium", async () => {
  const bench = new Bench("chromium", budgets.chromiumFrameMs);
  if (!(await exists(process.env.CHROMIUM ?? "/usr/bin/chromium")))
    return addRow(plainRow("chromium", "skipped: it is not here (apt-get install chromium)"));
  const browser = await openBrowser();
  // A page, and so a process, for each session.
  const measure = async (task: Task) => {
    const page = await openPage(browser, program.url);
    try {
      await page.waitForTimeout(1500);
      bench.floors.push(await page.evaluate(measureFloor));
      const measured = await page.evaluate(measureSession, task);
      const devtools = await browser.newCDPSession(page);
      await devtools.send("HeapProfiler.collectGarbage");
      const bytes = await pageBytes(process.pid, "--type=renderer");
      bench.add({ ...measured, pageBytes: bytes, programBytes: await processBytes(program.pid()) });
      await page.evaluate(leaveFor, sessions.small);
    } finally {
      await page.close();
    }
  };
  try {
    for (const task of bench.plan())
      await within(patienceMs, measure(task)).catch((reason) => bench.fail(task.title, reason));
  } finally {
    await within(10_000, browser.close()).catch((reason) => bench.tell(String(reason)));
  }
  await bench.addRows();
});

it("in the window", async () => {
  await program.close();
  const bench = new Bench("WebKitGTK", budgets.webkitFrameMs);
  const plan = [...bench.plan()];
  let done = 0;
  for await (const { said, window } of sayingWindow(
    program.home,
    plan,
    sessions.small,
    patienceMs,
  )) {
    if (said.floorMs) bench.floors.push(said.floorMs);
    if (said.measured) {
      const bytes = await pageBytes(window.pid, "WebKitWebProcess");
      const programBytes = await processBytes(window.pid);
      bench.add({ ...said.measured, pageBytes: bytes, programBytes });
    }
    if (said.error) bench.fail(plan[done]?.title ?? "", said.error);
    if (said.measured || said.error) done++;
  }
  await bench.addRows();
});

/** Fails where something takes longer; what it does is left to itself. */
function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let patience: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, give) => {
    patience = setTimeout(() => give(new Error(`not done in ${ms / 1000} s`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(patience));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
