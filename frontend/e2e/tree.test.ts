// The tree on the real bindings: the skeleton, the outline, moving about in it, and finding. The map has a file of its own.

import { join } from "node:path";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkPage, closeFloating, openBrowser, openPage } from "./browser";
import { writeSession } from "./large-session";
import { type Program, startProgram } from "./program";
import { type ListedSession, listSessions, mailSession, openSession, withSamples } from "./samples";
import { useScript } from "./scripts";

const agent = "agent of 3000";

let program: Program;
let browser: BrowserContext;
let page: Page;
let sessions: Map<string, ListedSession>;

beforeAll(async () => {
  program = await startProgram(async (prepared) => {
    await withSamples(prepared);
    await useScript(prepared, {
      turns: [{ alternatives: [[{ text: "It grows by a turn." }]] }],
    });
    const file = join(prepared.home, "agent.json");
    await writeSession(file, 3000);
    await prepared.cli("import", file);
  });
  browser = await openBrowser({ width: 1440, height: 900 });
  page = await openPage(browser, program.url);
  sessions = await listSessions(program);
  await openSession(page, mailSession);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const feed = () => page.getByRole("feed", { name: "Messages" });
const grid = () => page.getByRole("treegrid", { name: "Turns" });
const turns = () => grid().getByRole("row");
/** The row of a turn by its number; of a divided one the first part. */
const turn = (number: number) => grid().locator(`[data-node=n${number}]`).first();
const pane = () => page.getByRole("complementary", { name: "Tree" });
const selected = () => grid().locator("[aria-selected=true]");
const selectedNumber = async () => Number((await selected().getAttribute("data-node"))?.slice(1));
/** "2 of 14" */
const found = (): Locator =>
  pane()
    .getByRole("status")
    .filter({ hasText: /^\d+ of \d+$/ });
const idOf = (title: string) => sessions.get(title)?.id ?? "";
const headTurn = async () =>
  (JSON.parse(await program.cli("tree", idOf(mailSession), "--json")) as { headTurn: number })
    .headTurn;

describe("the skeleton", () => {
  it("comes as columns, and only what is new where it was read before", async () => {
    const sizes = await page.evaluate(async (id) => {
      const size = async (query: string) =>
        (await (await fetch(`/skeleton/${id}${query}`)).arrayBuffer()).byteLength;
      return { whole: await size(""), last: await size("?after=2990&reshapes=0") };
    }, idOf(agent));
    expect(sizes.whole).toBeLessThan(3000 * 18); // 1.8 MB for 100,000 messages
    expect(sizes.last).toBeLessThan(sizes.whole / 20);
  });

  it("is appended to while a run continues", async () => {
    await openSession(page, agent);
    await turns().first().waitFor();
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/skeleton/")) asked.push(request.url());
    });
    const head = Number(await selected().getAttribute("data-turn"));
    await page.getByRole("region", { name: "Composer" }).getByRole("textbox").fill("Go on");
    await page.keyboard.press("Enter");
    const grown = grid().getByRole("row").filter({ hasText: "Go on" });
    await grown.waitFor();
    expect(Number(await grown.getAttribute("data-turn"))).toBeGreaterThan(head);
    expect(asked.length).toBeGreaterThan(0);
    for (const url of asked) expect(url).toMatch(/after=\d{4}/);
    await openSession(page, mailSession);
  });
});

describe("the outline", () => {
  it("is a treegrid that announces the position and number of every turn", async () => {
    const row = turn(2);
    await expect.poll(() => row.getAttribute("aria-label")).toMatch(/2 of 2 alternatives/);
    await expect
      .poll(() => turn(10).getAttribute("aria-label"))
      .toMatch(/on current path, current position/);
    expect(await row.getAttribute("aria-level")).toBe("2");
    expect(Number(await grid().getAttribute("aria-rowcount"))).toBe(await turns().count());
    await checkPage(page);
  });

  it("folds and unfolds a branch by the arrow keys", async () => {
    await turn(1).click();
    await turn(2).waitFor();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => turn(2).count()).toBe(0);
    await turn(1).getByText("+ 8").waitFor();
    await page.keyboard.press("ArrowRight");
    await turn(2).waitFor();
  });

  it("folds long chains, and opens one", async () => {
    await openSession(page, agent);
    const chain = grid().locator("[aria-label*='turns folded,']").last();
    await chain.scrollIntoViewIfNeeded();
    const rows = Number(await grid().getAttribute("aria-rowcount"));
    await chain.click();
    await expect
      .poll(async () => Number(await grid().getAttribute("aria-rowcount")))
      .toBeGreaterThan(rows);
    await openSession(page, mailSession);
  });

  it("lists only labelled turns, and alternatives from new to old", async () => {
    const choose = async (entry: string) => {
      await pane()
        .getByRole("button", { name: /^Turns listed/ })
        .click();
      await page.getByRole("menuitemcheckbox", { name: entry }).first().click();
      await closeFloating(page);
    };
    const all = await turns().count();
    await choose("Prompts");
    // Turns that begin with an answer are left out.
    await expect.poll(() => turn(9).count()).toBe(0);
    await turn(10).waitFor();
    await choose("Labelled");
    await expect.poll(() => turns().count()).toBeLessThan(all);
    await choose("All");
    await expect.poll(() => turns().count()).toBe(all);
    const order = () =>
      turns().evaluateAll((rows) => rows.map((row) => row.getAttribute("data-node")));
    const before = await order();
    expect(before.indexOf("n6")).toBeLessThan(before.indexOf("n7"));
    await choose("Newest alternatives first");
    await expect
      .poll(async () => (await order()).indexOf("n7") < (await order()).indexOf("n6"))
      .toBe(true);
    await choose("Oldest alternatives first");
  });

  it("shows what a turn begins with while the pointer rests on it", async () => {
    await turn(4).hover();
    await page.getByText("What happens to a mail when the process").last().waitFor();
    await page.mouse.move(400, 400);
  });

  it("goes to a turn by its first letters", async () => {
    await turn(0).click();
    await page.keyboard.type("twelve");
    await expect.poll(selectedNumber).toBe(10);
  });
});

describe("moving", () => {
  it("views at a click, at the leaf visited last below, and continues at a double click", async () => {
    const before = await headTurn();
    await turn(4).click(); // below n3
    await feed().getByText("What happens to a mail when the process").waitFor();
    await turn(10).click();
    await feed().getByText("Twelve attempts").first().waitFor();
    await turn(3).click();
    // The path continues to n4, where it was before.
    await expect.poll(() => turn(4).getAttribute("aria-label")).toMatch(/on current path/);
    expect(await headTurn()).toBe(before);
    await turn(3).dblclick();
    await expect.poll(headTurn).toBe(3);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(headTurn).toBe(before);
    await turn(10).click();
  });

  it("pages through alternatives beside the selected turn, with a list of them", async () => {
    await turn(2).click();
    const details = pane().getByLabel("Selected turn");
    await details.getByRole("button", { name: /^Alternative \d of 2/ }).click();
    const entries = page.getByRole("menuitemcheckbox");
    await expect.poll(() => entries.count()).toBe(2);
    // The first line, the time and the size of the subtree; of an answer its model, too.
    await expect
      .poll(() => entries.last().textContent())
      .toMatch(/^The first answer listed.*(?:haiku|opus|sonnet) [\d.]+ · \d+ min · 8 turns$/);
    expect(await entries.first().textContent()).toMatch(
      /^There are four that need nothing.*(?:haiku|opus|sonnet) [\d.]+ · \d+ min · 3 turns$/,
    );
    await page.keyboard.press("Escape");
    await details.getByRole("button", { name: "Previous alternative" }).click();
    await expect.poll(selectedNumber).toBe(1);
  });

  it("goes back and forward through what was viewed, across sessions", async () => {
    await turn(0).click();
    await expect.poll(() => turn(0).getAttribute("aria-current")).toBe("true");
    await turn(4).click();
    await feed().getByText("What happens to a mail when the process").waitFor();
    await openSession(page, "Trieste");
    await page.keyboard.press("Control+[");
    await feed().getByText("What happens to a mail when the process").waitFor();
    await page.keyboard.press("Control+[");
    await expect.poll(selectedNumber).toBe(0);
    await page.getByRole("button", { name: "Forward" }).click();
    await page.getByRole("button", { name: "Forward" }).click();
    await page.getByRole("heading", { name: /Trieste/ }).waitFor();
    await openSession(page, mailSession);
  });

  it("shows the path to the current turn, and goes to a stop on it", async () => {
    await turn(4).click();
    const way = page.getByRole("navigation", { name: "Path to the turn on screen" });
    await way.getByRole("button", { name: "dead end" }).waitFor();
    await way.getByRole("button", { name: "options" }).click();
    await expect.poll(selectedNumber).toBe(1);
    await checkPage(page);
  });

  it("shows what is below a turn alone, and all again", async () => {
    await turn(2).click();
    await page.keyboard.press("h");
    await pane()
      .getByText(/^Below The first answer listed/)
      .waitFor();
    await expect.poll(() => turn(0).count()).toBe(0);
    await turn(9).waitFor();
    await checkPage(page);
    await page.getByRole("button", { name: "Show whole tree" }).click();
    await turn(0).waitFor();
    // Going elsewhere shows all, too.
    await turn(3).click();
    await page.keyboard.press("h");
    await expect.poll(() => turn(10).count()).toBe(0);
    await page.keyboard.press("Control+[");
    await turn(10).waitFor();
  });

  it("comes back to where a session was left, also after a restart", async () => {
    await turn(7).click();
    await feed().getByText("Use an outbox table, but keep the").first().waitFor();
    await openSession(page, "Trieste");
    await openSession(page, mailSession);
    await expect.poll(() => turn(7).getAttribute("aria-label")).toMatch(/on current path/);
    await page.waitForTimeout(500); // what the window remembers is written
    await page.close();
    await program.restart();
    page = await openPage(browser, program.url);
    await expect.poll(() => turn(7).getAttribute("aria-label")).toMatch(/on current path/);
  });
});

/** The selected turn once it is the same as a moment before: a selection follows the hits a moment after they are counted. */
async function settled(): Promise<string | null> {
  let last: string | null = null;
  const isSettled = async () => {
    const before = last;
    last = await selected().getAttribute("data-turn");
    return last !== null && last === before;
  };
  await expect.poll(isSettled, { interval: 300 }).toBe(true);
  return last;
}

describe("finding", () => {
  it("finds as one types, n of m, opens only the branches of hits, and folds back", async () => {
    await openSession(page, agent);
    await turns().first().waitFor();
    const rows = async () => Number(await grid().getAttribute("aria-rowcount"));
    const before = await rows();
    await selected().focus();
    await page.keyboard.press("/");
    // Early answers, which are folded away.
    await page.keyboard.type("answer 15");
    await found().waitFor();
    const [at, of] = (await found().textContent())?.split(" of ").map(Number) ?? [];
    expect(at).toBeGreaterThan(0);
    expect(of).toBeGreaterThan(0);
    await page.getByLabel("Find in tree").last().fill("answer 150");
    await expect
      .poll(async () => Number((await found().textContent())?.split(" of ")[1]))
      .toBeLessThan(of ?? 0);
    const first = await settled();
    await page.keyboard.press("Enter");
    await expect.poll(() => selected().getAttribute("data-turn")).not.toBe(first);
    await page.keyboard.press("Shift+Enter");
    await expect.poll(() => selected().getAttribute("data-turn")).toBe(first);
    await checkPage(page);
    await page.getByLabel("Find in tree").last().fill("answer 15");
    await expect.poll(rows).toBeGreaterThan(before);
    const opened = await rows();
    await page.keyboard.press("Escape");
    // Only what is selected by now stays in sight.
    await expect.poll(rows).toBeLessThan(opened);
    await expect.poll(async () => Math.abs((await rows()) - before)).toBeLessThan(20);
  });

  it("opens the branch of a hit in another session, at its message", async () => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("Same problem, but plan it");
    const hit = page.getByRole("option").filter({ hasText: "Same problem, but plan it" }).first();
    await hit.waitFor();
    await hit.click();
    await feed().getByText("Same problem, but plan it").first().waitFor();
    await expect.poll(selectedNumber).toBe(11);
  });
});
