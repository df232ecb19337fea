// Tending a tree by keys alone, on the real bindings.

import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { mailSession, withSamples } from "./samples";

let program: Program;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  program = await startProgram(withSamples);
  browser = await openBrowser({ width: 1440, height: 900 });
  page = await openPage(browser, program.url);
  page.setDefaultTimeout(15_000);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const turns = () => page.getByRole("treegrid", { name: "Turns" }).getByRole("row");
const cursor = () => page.locator("[role=treegrid] [role=row][tabindex='0']");
const palette = async (words: string, option: string | RegExp) => {
  await press("Control+k");
  await page.keyboard.type(words);
  await page.getByRole("option", { name: option }).first().waitFor();
  await press("Enter");
};

it("opens a session, and says of a turn its place and number", async () => {
  await palette(mailSession, mailSession);
  await turns().first().waitFor();
  await press("Control+3", "Home");
  await expect.poll(() => cursor().getAttribute("data-turn")).toBe("0");
  await press("ArrowDown", "ArrowDown");
  await expect.poll(() => cursor().getAttribute("aria-label")).toMatch(/^n\d+, .*message/);
  const names = await turns().evaluateAll((rows) => rows.map((row) => row.ariaLabel ?? ""));
  expect(names.some((name) => /2 of 2 alternatives/.test(name))).toBe(true);
  expect(names.some((name) => /turns? below, .*on current path/.test(name))).toBe(true);
  await checkPage(page);
});

it("labels in a colour, bookmarks and marks the main path", async () => {
  await press("Home", "l");
  await page.keyboard.type("by keys");
  await press("Tab", "ArrowRight", "Enter");
  await expect.poll(() => cursor().getAttribute("aria-label")).toContain("label by keys");
  await press("b", "m");
  await expect.poll(() => cursor().getAttribute("aria-label")).toContain("bookmarked");
  await expect.poll(() => page.getByRole("row", { name: "end of the main path" }).count()).toBe(1);
});

it("throws a turn away and takes it back", async () => {
  await press("End");
  const name = (await cursor().getAttribute("aria-label")) ?? "";
  const number = name.split(",")[0] ?? "";
  await press("Delete");
  await page.getByText(/in the trash of the session/).waitFor();
  await expect.poll(() => turns().filter({ hasText: number }).count()).toBe(0);
  await press("Control+z");
  await turns().filter({ hasText: number }).first().waitFor();
});
