// The main tasks by keys alone, as docs/accessibility.md lists them, with what a screen reader would report.

import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkNames, checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { mailSession } from "./samples";

let program: Program;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  program = await startProgram();
  browser = await openBrowser({ width: 1440, height: 900 });
  page = await openPage(browser, program.url);
  page.setDefaultTimeout(30_000);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const feed = () => page.getByRole("feed", { name: "Messages" });
const focusIn = (part: Locator) =>
  expect
    .poll(() => part.evaluate((element) => element.contains(document.activeElement)))
    .toBe(true);
const palette = async (words: string, option: string | RegExp) => {
  await press("Control+k");
  await page.keyboard.type(words);
  await page.getByRole("dialog").getByRole("option", { name: option }).first().waitFor();
  await press("Enter");
};

it("imports", async () => {
  await palette(">load the sample", "Load the sample library");
  await page.getByRole("listbox").getByRole("option").first().waitFor();
  await checkPage(page);
  await checkNames(page);
});

it("finds a session", async () => {
  await palette(mailSession, mailSession);
  await page.getByRole("heading", { level: 2 }).filter({ hasText: mailSession }).waitFor();
});

it("reads it", async () => {
  await feed().getByRole("article").first().waitFor();
  await press("Control+2", "Home", "ArrowDown");
  await focusIn(feed());
  const tree = await feed().ariaSnapshot();
  expect(tree).toMatch(/article "You/);
  const turns = page.getByRole("treegrid", { name: "Turns" });
  const row = turns.getByRole("row").first();
  for (const attribute of ["aria-level", "aria-posinset", "aria-setsize", "aria-label"])
    expect(await row.getAttribute(attribute), attribute).toBeTruthy();
  await checkNames(page);
});

it("searches and opens a hit", async () => {
  await palette(">search messages", /^Search messages/);
  await page.keyboard.type("outbox");
  const panel = page.getByRole("dialog");
  const hit = panel.getByRole("option").filter({ hasText: /outbox/i });
  await hit.first().waitFor();
  expect(await panel.ariaSnapshot()).toMatch(/combobox/);
  await press("Enter");
  await feed()
    .getByText(/outbox/i)
    .first()
    .waitFor();
  await checkPage(page);
  await checkNames(page);
});

it("compares", async () => {
  await press("Control+2", "Control+Shift+D");
  await page.getByRole("feed", { name: "Turns side by side" }).waitFor();
  await checkNames(page);
  await press("Escape");
  await feed().waitFor();
  await focusIn(feed());
});

it("opens an export", async () => {
  await press("Control+e");
  const dialog = page.getByRole("dialog", { name: /^Export/ });
  await dialog.waitFor();
  const tree = await dialog.ariaSnapshot();
  expect(tree).toMatch(/radio "(HTML|Markdown)/);
  await checkPage(page);
  await checkNames(page);
  await press("Escape");
  await dialog.waitFor({ state: "detached" });
  await focusIn(feed());
});

it("branches", async () => {
  await press("Home", "ArrowDown", "b");
  await page.getByText("The next message continues from here").waitFor();
  await focusIn(page.getByRole("region", { name: "Composer" }).getByRole("textbox"));
  await checkPage(page);
  await checkNames(page);
});

it("continues with a model", async () => {
  await press("Control+Shift+m");
  await page.keyboard.type("demo");
  await page.getByRole("dialog").getByRole("option", { name: /demo/ }).first().waitFor();
  await press("Enter");
  await press("Control+l");
  await page.keyboard.type("Show me code and a table");
  await press("Enter");
  // What is written is announced.
  const spoken = page.locator("[aria-live=polite]");
  await spoken.filter({ hasText: "Code first:" }).first().waitFor({ state: "attached" });
  await feed().getByText("Code first:").first().waitFor();
  await checkNames(page);
});

it("changes a setting", async () => {
  await press("Control+,");
  const settings = page.getByRole("region", { name: "Settings" });
  await settings.waitFor();
  expect(await settings.ariaSnapshot()).toContain('tab "Models" [selected]');
  for (let moves = 0; moves < 3; moves++) await press("ArrowDown");
  await settings.getByRole("tabpanel", { name: "Appearance" }).waitFor();
  const box = settings.getByRole("checkbox", { name: /^High contrast/ });
  for (let moves = 0; moves < 6; moves++) {
    if (await box.evaluate((one) => one === document.activeElement)) break;
    await press("Tab");
  }
  await press("Space");
  await expect
    .poll(() => page.evaluate(() => document.documentElement.dataset.contrast))
    .toBe("high");
  await checkPage(page);
  await checkNames(page);
  await press("Escape");
  await settings.waitFor({ state: "detached" });
});
