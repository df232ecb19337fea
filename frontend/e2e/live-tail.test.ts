// The answer as it is written, in a long session: that it never goes away or moves between its
// writing and its message, and how many frames a second it gets (printed, not judged).

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addRow, median, plainRow, timed } from "./bench-rows";
import { openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { useScript } from "./scripts";

const messages = 10_000;
const paragraph = (word: string, at: number) =>
  `${word} ${at} says that a **table** makes each token revocable, with \`expires_at_ms\` indexed for the sweep, and that nobody is signed out by the change.`;
const answer = (word: string) =>
  [
    ...Array.from({ length: 24 }, (_, at) => paragraph(word, at)),
    "```go\nfunc (s *Store) Revoke(id string) error {\n\treturn s.clear(id)\n}\n```",
    "- first\n- second\n- third",
    "The end of the answer.",
  ].join("\n\n");

let program: Program;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  program = await startProgram(async (prepared) => {
    await useScript(prepared, {
      tokensPerSecond: 200,
      turns: [
        { match: "all of it", alternatives: [[{ text: answer("Paragraph") }]] },
        { alternatives: [[{ text: answer("Passage") }]] },
      ],
    });
    const file = join(prepared.home, "long.jsonl");
    await writeFile(file, longSession());
    await prepared.cli("import", file);
  });
  browser = await openBrowser();
  page = await openPage(browser, program.url);
  page.on("console", (m) => console.log(m.text()));
  await page.getByRole("option").first().click();
  await page.getByRole("feed", { name: "Messages" }).getByRole("article").first().waitFor();
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

/** What was seen in one frame. */
interface Frame {
  ms: number;
  /** Characters of the answer on the page. */
  chars: number;
  /** How far the end of the path is below the view, in pixels. */
  below: number;
  /** The position of the mark, a paragraph of the answer; NaN if it is not drawn. */
  mark: number;
}

/** Watches each frame from a run's beginning to a while after its end. */
async function watch(say: string, word: string, scrollUpAt = -1): Promise<Frame[]> {
  await page.evaluate(
    ([word, scrollUpAt]) => {
      const frames: Frame[] = [];
      Object.assign(window, { frames });
      const feed = document.querySelector("[role=feed]");
      if (!feed) throw new Error("no feed");
      let last = performance.now();
      let scrolled = false;
      // What was painted is read right after the frame: in it, sizes are still being put right.
      const painted = new MessageChannel();
      painted.port1.onmessage = () => {
        const now = performance.now();
        const said = [...feed.querySelectorAll("[role=feed] .prose p")].filter((one) =>
          one.textContent?.startsWith(word),
        );
        const articles = [...feed.querySelectorAll("article")];
        const lastRow = articles.at(-1)?.getBoundingClientRect().bottom ?? 0;
        const mark = said.find((one) => one.textContent?.startsWith(`${word} 1 `));
        frames.push({
          ms: now - last,
          chars: said.reduce((sum, one) => sum + (one.textContent?.length ?? 0), 0),
          below: lastRow - feed.getBoundingClientRect().bottom,
          mark: mark?.getBoundingClientRect().top ?? Number.NaN,
        });
        if (scrollUpAt >= 0 && !scrolled && frames.at(-1)?.chars && said.length > scrollUpAt) {
          scrolled = true;
          feed.scrollTop -= 500;
        }
        last = now;
        requestAnimationFrame(() => painted.port2.postMessage(0));
      };
      painted.port2.postMessage(0);
    },
    [word, scrollUpAt] as const,
  );
  await page.getByRole("region", { name: "Composer" }).getByRole("textbox").fill(say);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await page.getByRole("button", { name: "Send", exact: true }).waitFor({ timeout: 60_000 });
  await page.waitForTimeout(1000);
  return page.evaluate(() => (window as unknown as { frames: Frame[] }).frames.splice(0));
}

it("follows an answer of 200 tokens a second, and never loses a word of it", async () => {
  const frames = await watch("Tell me all of it", "Paragraph");
  const writing = frames.filter(({ chars }) => chars > 0);
  const lost = writing.filter((frame, at) => frame.chars < (writing[at - 1]?.chars ?? 0) - 200);
  await tell(writing);
  expect(lost).toEqual([]);
  // The end stays in view: what follows it is the space below the last row.
  const isAway = ({ below }: Frame | undefined = { ms: 0, chars: 0, below: 0, mark: 0 }) =>
    below > 8;
  expect(writing.filter((frame, at) => isAway(frame) && isAway(writing[at + 1]))).toEqual([]);
});

it("does not scroll a user who reads further up, while it is written and when it is done", async () => {
  const frames = await watch("Once more", "Passage", 8);
  const from = frames.findIndex(({ mark }, at) => mark - (frames[at - 1]?.mark ?? mark) > 300);
  const places = frames.slice(from + 2).map(({ mark }) => Math.round(mark));
  expect(new Set(places.filter((place) => !Number.isNaN(place))).size).toBe(1);
});

/** Prints the frames, and judges them if app/bench asks for it. */
async function tell(frames: Frame[]) {
  const times = frames.map(({ ms }) => ms);
  const seconds = times.reduce((sum, ms) => sum + ms, 0) / 1000;
  const what = `chromium: answer of 200 tokens a second after ${messages} messages`;
  await addRow(timed(`${what}, frame`, median(times), 17));
  await addRow(plainRow(`${what}, frames a second`, (frames.length / seconds).toFixed(1)));
}

/** A session of Claude Code: prompts and answers in turn. */
function longSession(): string {
  const lines: string[] = [];
  let parentUuid: string | null = null;
  for (let at = 0; at < messages; at++) {
    const uuid = `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;
    const role = at % 2 === 0 ? "user" : "assistant";
    const text = `Message ${at}. ${"It says something of a few words. ".repeat(1 + (at % 9))}`;
    lines.push(
      JSON.stringify({
        type: role,
        uuid,
        parentUuid,
        sessionId: "00000000-0000-4000-8000-00000000000a",
        timestamp: new Date(1_700_000_000_000 + at * 1000).toISOString(),
        cwd: "/home/ada/shop",
        version: "2.0.0",
        message: { role, content: role === "user" ? text : [{ type: "text", text }] },
      }),
    );
    parentUuid = uuid;
  }
  return `${lines.join("\n")}\n`;
}
