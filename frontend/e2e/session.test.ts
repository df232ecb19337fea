import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import {
  type ListedSession,
  listSessions,
  mailSession,
  openSession,
  turnRow,
  viewTurn,
  withSamples,
} from "./samples";

let program: Program;
let browser: BrowserContext;
let page: Page;
let session: ListedSession;

beforeAll(async () => {
  program = await startProgram(withSamples);
  browser = await openBrowser({ width: 1440, height: 900 });
  page = await openPage(browser, program.url);
  const found = (await listSessions(program)).get(mailSession);
  if (!found) throw new Error(`no session ${mailSession}`);
  session = found;
  await openSession(page, mailSession);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const feed = () => page.getByRole("feed", { name: "Messages" });
const turns = () => page.getByRole("treegrid", { name: "Turns" }).getByRole("row");
const tree = async () =>
  JSON.parse(await program.cli("tree", session.id, "--json")) as {
    head: string;
    headTurn: number;
    turns: { node: number; label: string; firstUid: string; lastUid: string; preview: string }[];
  };

it("shows the path as prose, folded reasoning and tool cards", async () => {
  await feed().getByText("Map how we send mail today").waitFor();
  const box = feed().getByRole("table").first().locator("xpath=..");
  // Else a wide table does not scroll: it goes beyond the column.
  expect(await box.evaluate((element) => getComputedStyle(element).display)).toBe("block");
  await feed()
    .getByRole("button", { name: /Reasoning/ })
    .first()
    .waitFor();
  await checkPage(page);
});

it("opens a tool card in place: arguments and result", async () => {
  const card = feed()
    .getByRole("button", { name: /^search / })
    .first();
  await card.click();
  await expect.poll(() => card.getAttribute("aria-expanded")).toBe("true");
  await feed().getByText("pattern", { exact: true }).first().waitFor();
  await checkPage(page);
  await card.click();
});

it("goes to an alternative by the pager and back", async () => {
  await feed().getByRole("button", { name: "Alternative 1 of 2" }).first().waitFor();
  await feed().getByRole("button", { name: "Next alternative" }).first().click();
  await feed().getByRole("button", { name: "Alternative 2 of 2" }).first().waitFor();
  await feed().getByRole("button", { name: "Previous alternative" }).first().click();
  await feed().getByText("Map how we send mail today").waitFor();
});

it("shows a branch at a click on its turn, without moving the head", async () => {
  const before = (await tree()).head;
  await viewTurn(page, "dead end");
  await feed().getByText("Try number 2 first").waitFor();
  expect((await tree()).head).toBe(before);
});

it("makes a turn the head by Ctrl+Enter, and takes it back by Undo", async () => {
  const before = await tree();
  const target = before.turns.find(({ label }) => label === "dead end");
  await viewTurn(page, "dead end");
  await page.keyboard.press("Control+Enter");
  await expect.poll(async () => (await tree()).headTurn).toBe(target?.node);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(async () => (await tree()).head).toBe(before.head);
});

it("names a turn by L", async () => {
  const row = turnRow(page, "n8");
  await row.click();
  await page.keyboard.press("l");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("the worker");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await tree()).turns[8]?.label).toBe("the worker");
  await turns().filter({ hasText: "the worker" }).waitFor();
});

it("moves through the tree by the keyboard alone", async () => {
  await turns().first().click();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await feed().getByText("What are the options?").first().waitFor();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await feed().getByText("Same problem, but plan it").first().waitFor();
  await checkPage(page);
});

it("shows where the focus is, wherever the Tab key goes", async () => {
  await turns().first().click();
  const unseen = new Set<string>();
  for (let stop = 0; stop < 60; stop++) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => {
      const focused = document.activeElement;
      // A toast has a shadow of its own; behind the last element the focus leaves the page.
      if (!focused || !document.hasFocus() || focused.matches("body, [data-sonner-toast]"))
        return "";
      const isRinged = (element: Element | null) =>
        element !== null &&
        [undefined, "::after"].some((part) => {
          const { outlineStyle, outlineWidth } = getComputedStyle(element, part);
          return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1;
        });
      const named = document.getElementById(focused.getAttribute("aria-activedescendant") ?? "");
      if (isRinged(named)) return "";
      // A field may be ringed with its box.
      for (let at: Element | null = focused; at; at = at.parentElement) {
        if (isRinged(at)) return "";
      }
      return `${focused.tagName} ${focused.ariaLabel ?? focused.textContent?.slice(0, 40)}`;
    });
    if (name !== "") unseen.add(name);
  }
  expect([...unseen]).toEqual([]);
});

it("goes to a turn again that is chosen again", async () => {
  const row = turnRow(page, "n0");
  await row.click();
  const prompt = feed().getByText("Map how we send mail today");
  await prompt.waitFor();
  // Only what is near the screen is drawn. The click may still bring it there.
  const leave = () => feed().evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect.poll(() => leave().then(() => prompt.count())).toBe(0);
  await row.click();
  await prompt.waitFor();
});

it("draws the map", async () => {
  await page.getByRole("tab", { name: "Map" }).click();
  const canvas = page.locator("canvas").first();
  await canvas.waitFor();
  await page.waitForTimeout(500);
  const colors = await canvas.evaluate((element: HTMLCanvasElement) => {
    const data = element.getContext("2d")?.getImageData(0, 0, element.width, element.height).data;
    const seen = new Set<number>();
    for (let i = 0; data && i < data.length; i += 4) {
      seen.add(((data[i] ?? 0) << 16) | ((data[i + 1] ?? 0) << 8) | (data[i + 2] ?? 0));
    }
    return seen.size;
  });
  expect(colors).toBeGreaterThan(10); // text, several lanes, their edges
  await checkPage(page);
  await page.getByRole("tab", { name: "Outline" }).click();
});
