// Tending a tree by keys alone, on the real bindings.

import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { mailSession, turnRow, withSamples } from "./samples";

let program: Program;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  program = await startProgram(withSamples);
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
const turns = () => page.getByRole("treegrid", { name: "Turns" }).getByRole("row");
const cursor = () => page.locator("[role=treegrid] [role=row][tabindex='0']");
const palette = async (words: string, option: string | RegExp) => {
  await press("Control+k");
  await page.keyboard.type(words);
  await page.getByRole("dialog").getByRole("option", { name: option }).first().waitFor();
  await press("Enter");
};

/** Goes to the outline; keys are for it once the focus is there. */
const toOutline = async () => {
  await press("Control+3");
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest("[role=treegrid]") !== null))
    .toBe(true);
};

it("opens a session, and announces the position and number of a turn", async () => {
  await palette(mailSession, mailSession);
  await turns().first().waitFor();
  await toOutline();
  await press("Home");
  await expect.poll(() => cursor().getAttribute("data-turn")).toBe("0");
  await press("ArrowDown", "ArrowDown");
  await expect.poll(() => cursor().getAttribute("aria-label")).toMatch(/^[^,]+, .*message/);
  const names = await turns().evaluateAll((rows) => rows.map((row) => row.ariaLabel ?? ""));
  expect(names.some((name) => /2 of 2 alternatives/.test(name))).toBe(true);
  expect(names.some((name) => /turns? below, .*on current path/.test(name))).toBe(true);
  await checkPage(page);
});

it("labels in a color, bookmarks and marks the main path", async () => {
  await press("Home", "l");
  await page.keyboard.type("by keys");
  await press("Tab", "ArrowRight", "Enter");
  await expect.poll(() => cursor().getAttribute("aria-label")).toContain("label by keys");
  await press("b", "m");
  await expect.poll(() => cursor().getAttribute("aria-label")).toContain("bookmarked");
  await expect.poll(() => page.getByRole("row", { name: "end of the main path" }).count()).toBe(1);
});

it("opens the menu of a turn and of a message by keys, once", async () => {
  for (const [go, entry] of [
    [toOutline, "Show only what is below"],
    [() => press("Control+2", "Home"), "Copy as Markdown"],
  ] as const) {
    await go();
    await press("Shift+F10");
    await page.getByRole("menuitem", { name: entry }).waitFor();
    expect(await page.getByRole("menu").count()).toBe(1);
    await press("Escape");
    await expect.poll(() => page.getByRole("menu").count()).toBe(0);
  }
  await toOutline();
});

it("compares the path on screen with the branch nearest to it by D on a turn of it", async () => {
  await press("d");
  await page.getByRole("feed", { name: "Turns side by side" }).waitFor();
  await press("Escape");
  await toOutline();
});

it("removes a first turn, continues from what is on screen, and restores it", async () => {
  await press("End");
  await expect.poll(() => cursor().getAttribute("data-node")).toBe("n11");
  await press("Delete");
  await page.getByText(/ to trash/).waitFor();
  await expect.poll(() => turnRow(page, "n11").count()).toBe(0);
  await expect.poll(() => cursor().getAttribute("data-node")).toMatch(/^n\d+$/);
  const details = page.getByLabel("Selected turn");
  await expect.poll(() => details.getAttribute("data-node")).not.toBe("n11");
  await press("Control+z");
  await turnRow(page, "n11").first().waitFor();
});

it("shows only what is below a turn, and all again", async () => {
  await press("Control+3", "Home", "ArrowDown", "h");
  const bar = page.getByText(/^Below /);
  await bar.waitFor();
  await expect.poll(() => turnRow(page, "n11").count()).toBe(0);
  await palette("whole tree", "Show whole tree");
  await expect.poll(() => bar.count()).toBe(0);
  await turnRow(page, "n11").first().waitFor();
});

it("bookmarks from the palette while the tree is closed, which opens it", async () => {
  await press("Control+Shift+B");
  await expect.poll(() => turns().count()).toBe(0);
  await palette("Bookmark", /^Bookmark/);
  await expect
    .poll(() => page.getByRole("row", { name: "bookmarked", selected: true }).count())
    .toBe(1);
});

it("lists and zooms from the palette while the tree is closed, which opens it", async () => {
  const isListing = (what: string) =>
    page.getByRole("button", { name: `Turns listed: ${what}` }).waitFor();
  const isClosed = () => expect.poll(() => page.getByRole("tab", { name: "Map" }).count()).toBe(0);
  await press("Control+Shift+B");
  await isClosed();
  await palette("only labelled", "List only labelled turns");
  await isListing("Labelled");
  await press("Control+Shift+B");
  await isClosed();
  await palette("zoom map", "Zoom map to fit");
  await page.getByRole("application", { name: "Map of the tree" }).waitFor();
  await palette("list all turns", "List all turns");
  await isListing("All");
});

const places: Record<string, { open: () => Promise<void>; close: () => Promise<void> }> = {
  "the map": {
    open: async () => {
      await palette("show as map", "Show as map");
      await press("Control+3", "ArrowDown");
      await page.getByRole("application", { name: "Map of the tree" }).waitFor();
    },
    close: () => palette("show as outline", "Show as outline"),
  },
  "a comparison": {
    open: async () => {
      await toOutline();
      await press("End", "d");
      await page.getByRole("feed", { name: "Turns side by side" }).waitFor();
    },
    close: async () => {
      await press("Escape");
      await turns().first().waitFor();
    },
  },
  "the sheet of keys": {
    open: async () => {
      await press("Control+/");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    },
    close: () => press("Escape"),
  },
  "the settings": {
    open: async () => {
      await press("Control+,");
      await page.getByRole("region", { name: "Settings" }).waitFor();
    },
    close: () => press("Escape"),
  },
  "the statistics": {
    open: async () => {
      await press("Control+Shift+S");
      await page.getByRole("region", { name: "Statistics" }).waitFor();
    },
    close: () => press("Control+Shift+S"),
  },
};

for (const theme of ["Light", "Dark"])
  for (const [name, { open, close }] of Object.entries(places))
    it(`goes through ${name} by keys in the ${theme.toLowerCase()} theme`, async () => {
      const wanted = theme.toLowerCase();
      if ((await page.locator("html").getAttribute("data-theme")) !== wanted)
        await palette(`${wanted} theme`, `${theme} theme`);
      await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe(wanted);
      await open();
      await checkPage(page);
      await close();
    }, 180_000);
