// The window at 200 %: nothing is out of reach, and what is clicked is what is under the pointer.

import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { boxOf } from "./picture";
import { type Program, startProgram } from "./program";
import { mailSession, openSession, questionSession, turnRow, withSamples } from "./samples";

let program: Program;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  program = await startProgram(withSamples);
  browser = await openBrowser({ width: 1280, height: 800 });
  page = await openPage(browser, program.url);
  page.setDefaultTimeout(15_000);
  await openSession(page, mailSession);
  for (let step = 0; step < 5; step++) await page.keyboard.press("Control+=");
  await page.waitForFunction(() => document.documentElement.style.zoom === "2");
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const openTree = async () => {
  await page.keyboard.press("Control+3");
  await page.getByRole("tab", { name: "Outline" }).waitFor();
};
const turn = (node: number) => page.locator(`[data-turn="${node}"]`);

/** The names of what can be pressed and is neither in the window nor can be scrolled there. */
const outOfReach = () =>
  page.evaluate(() => {
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      (/auto|scroll/.test(getComputedStyle(element).overflow) || scrolls(element.parentElement));
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    // Whether a rectangle is in zoomed pixels depends on the engine; the page's own shows it.
    const page = document.documentElement.getBoundingClientRect();
    const scale = page.width > 0 ? width / page.width : 1;
    const isOut = (element: Element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      if (right - left < 2 || bottom - top < 2) return false;
      const [most, deepest] = [width / scale + 1, height / scale + 1];
      return left < -1 || top < -1 || right > most || bottom > deepest;
    };
    return [...document.querySelectorAll("button, input, textarea, [role=tab], [role=menuitem]")]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => isOut(element) && !scrolls(element.parentElement))
      .map((element) => element.getAttribute("aria-label") ?? element.textContent ?? "");
  });

const checkReach = async () => {
  expect(await outOfReach()).toEqual([]);
  expect(
    await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    ),
  ).toBeLessThanOrEqual(0);
  await checkPage(page);
};

const centre = async (of: Locator) => {
  const box = await of.boundingBox();
  if (!box) throw new Error("it is not on screen");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

it("keeps the transcript, the composer and the outline in reach", async () => {
  await checkReach();
  await openTree();
  await checkReach();
  await turn(3).click();
  await expect.poll(() => turn(3).getAttribute("aria-selected")).toBe("true");
});

it("opens the menu of a turn beside the pointer, within the window", async () => {
  await openTree();
  await turn(3).scrollIntoViewIfNeeded();
  const at = await centre(turn(3));
  await page.mouse.click(at.x, at.y, { button: "right" });
  const menu = page.getByRole("menu");
  await menu.waitFor();
  const box = await menu.boundingBox();
  expect(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= 1281).toBe(true);
  expect(box && box.y + box.height <= 801).toBe(true);
  // It begins, or where there is no room ends, where the pointer is.
  const near = [box?.x ?? 0, (box?.x ?? 0) + (box?.width ?? 0)].map((edge) =>
    Math.abs(edge - at.x),
  );
  expect(Math.min(...near)).toBeLessThan(40);
  // The menu is longer than the window now, and scrolls with its arrow keys.
  await page.keyboard.press("End");
  await page.getByRole("menuitem").last().waitFor();
  expect(await outOfReach()).toEqual([]);
  await page.keyboard.press("Escape");
});

it("selects on the map what is under the pointer", async () => {
  await openTree();
  await turnRow(page, "n11").click();
  await openTree();
  await page.getByRole("tab", { name: "Map" }).click();
  const canvas = page.getByRole("complementary", { name: "Tree" }).locator("canvas").first();
  await canvas.waitFor();
  await page.getByRole("application", { name: "Map of the tree" }).press("0");
  await expect.poll(async () => (await boxOf(canvas, "--accent")).bottom).toBeGreaterThan(0);
  await page.waitForTimeout(500); // a glide is over
  // The path is one turn now, which has the accent.
  const { left, top } = await boxOf(canvas, "--accent");
  await page.keyboard.press("ArrowUp");
  const place = await canvas.boundingBox();
  const drawn = await canvas.evaluate((element) => element.clientWidth);
  const scale = (place?.width ?? 0) / drawn;
  await page.mouse.click((place?.x ?? 0) + (left + 3) * scale, (place?.y ?? 0) + (top + 3) * scale);
  await page.locator("[aria-label='Selected turn'][data-node=n11]").waitFor();
  await checkReach();
  await page.getByRole("tab", { name: "Outline" }).click();
});

it("keeps the palette and the sheet of keys in reach", async () => {
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").waitFor();
  await checkReach();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+/");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await checkReach();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
});

it("keeps every section of the settings in reach", async () => {
  await page.keyboard.press("Control+,");
  const settings = page.getByRole("region", { name: "Settings" });
  await settings.waitFor();
  for (const section of await settings.getByRole("tab").all()) {
    await section.click();
    await checkReach();
  }
  await page.keyboard.press("Escape");
  await settings.waitFor({ state: "detached" });
});

it("keeps the comparison in reach", async () => {
  await page.keyboard.press("Control+Shift+D");
  await page.getByRole("feed", { name: "Turns side by side" }).waitFor();
  await checkReach();
  await page.keyboard.press("Escape");
});

it("opens a session by a click in the library that lies over it, and closes the library", async () => {
  await page.keyboard.press("Control+1");
  const library = page.getByRole("complementary", { name: "Library" });
  await library.waitFor();
  await openSession(page, questionSession);
  await library.waitFor({ state: "detached" });
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest("main") !== null))
    .toBe(true);
});
