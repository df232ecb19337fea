// Exported pages of 50,000 messages: how they open and scroll in chromium and in WebKitGTK. app/bench makes them and starts this.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, it } from "vitest";
import { addRow, failed, median, plainRow, timed } from "./bench-rows";
import { openBrowser } from "./browser";
import { type Measured, measurePage } from "./measure-page";
import { pageBytes } from "./page-memory";
import { observe } from "./page-observer";

/** Paths of pages, as app/bench/pages.go names them. */
interface Pages {
  page: string;
  index: string;
  part?: string;
  small: string;
}

const pages: Pages = JSON.parse(process.env.COPPICE_BENCH_PAGES ?? "{}");
const named = Object.entries({
  "page of 400 messages": pages.small,
  "one page": pages.page,
  "index of a folder": pages.index,
  "page of a folder": pages.part,
}).filter((one): one is [string, string] => Boolean(one[1]));
/** The budgets of frames are those of tree.bench.ts. Programs write pages of more than 25 MB only to a pipe, or encrypted. */
const budgets = { openMs: 2000, wholeMs: 10_000, chromiumFrameMs: 17, webkitFrameMs: 23 };
const rounds = 3;

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "coppice-pages-"));
});

afterAll(() => rm(home, { recursive: true, force: true }));

/** Adds the rows of a page that was opened in each round. */
async function addRows(engine: string, name: string, frameMs: number, all: readonly Measured[]) {
  const middle = (figure: keyof Measured) => median(all.map((one) => one[figure]));
  const what = `${engine}: ${name}`;
  const openMs = name === "one page" ? budgets.wholeMs : budgets.openMs;
  await addRow(timed(`${what}, from the address to its first frames`, middle("openMs"), openMs));
  if (middle("heightPx") < 20_000) return; // it cannot be scrolled for so long
  await addRow(timed(`${what}, frame of scrolling by 100 pixels`, middle("wheelMs"), frameMs));
  await addRow(timed(`${what}, frame of scrolling by three screens`, middle("dragMs"), frameMs));
  const slow = `one in twenty takes ${middle("wheelSlowMs").toFixed(1)}, the slowest ${middle("wheelWorstMs").toFixed(1)} ms`;
  await addRow(plainRow(`${what}, slow frames of scrolling by 100 pixels`, slow));
  await addRow(
    plainRow(`${what}, from a link to a distant turn`, `${middle("jumpMs").toFixed(1)} ms`),
  );
}

it("in chromium", async () => {
  for (const [name, path] of named) {
    const all: Measured[] = [];
    let bytes = 0;
    for (let round = 0; round < rounds; round++) {
      const browser = await openBrowser();
      try {
        const page = await browser.newPage();
        await page.goto(pathToFileURL(path).href, { timeout: 120_000 });
        all.push(await page.evaluate(measurePage));
        bytes = Math.max(bytes, await pageBytes(process.pid, "--type=renderer"));
      } finally {
        await browser.close();
      }
    }
    await addRows("chromium", name, budgets.chromiumFrameMs, all);
    await addRow(plainRow(`chromium: ${name}, memory`, `${Math.round(bytes / 1e6)} MB`));
  }
});

it("in WebKitGTK", async () => {
  const script = join(home, "measure.js");
  await writeFile(script, `return JSON.stringify(await (${measurePage})());`);
  for (const [name, path] of named) {
    const all: Measured[] = [];
    for (let round = 0; round < rounds; round++) {
      const lines = (await observe(home, ["--script", script], [path])).get(path) ?? [];
      const measured = lines.find((line) => line.startsWith("{"));
      if (measured) all.push(JSON.parse(measured));
      else await addRow(failed(`WebKitGTK: ${name}`, lines.join(" ")));
    }
    if (all.length > 0) await addRows("WebKitGTK", name, budgets.webkitFrameMs, all);
  }
});
