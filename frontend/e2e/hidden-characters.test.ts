// A session with characters that hide or reorder text in every name: none reaches the page as it is, and editing keeps them.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, closeFloating, openBrowser, openPage } from "./browser";
import { hostileSession } from "./hostile-session";
import { type Program, startProgram } from "./program";

const hostile = "bad\u001b[31m\u0007x\u202egnp\u2066\u200b\u009b\u007f";
const title = `Plan ${hostile}`;
const id = "019a9f00-0000-7000-8000-000000000001";

let program: Program;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  program = await startProgram(async ({ cli, home }) => {
    const folder = join(home, "w \u202egnp\u200b");
    await mkdir(folder);
    const file = join(folder, "s\u202egnp.json");
    await writeFile(file, hostileSession(id, title, hostile, folder));
    await cli("import", file);
  });
  browser = await openBrowser();
  page = await openPage(browser, program.url);
  page.setDefaultTimeout(15_000);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

/** Texts and names of the page with a character that is not visible in them. */
const rawTexts = () =>
  page.evaluate(() => {
    const raw = /(?![\t\n])\p{Cc}|[\u200b\u2028-\u202e\u2060\u2066-\u2069\ufeff]/u;
    const found: string[] = [];
    const look = (text: string | null, where: string) => {
      if (text && raw.test(text)) found.push(`${where}: ${JSON.stringify(text).slice(0, 120)}`);
    };
    const nodes = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const { parentElement, nodeValue } = nodes.currentNode;
      look(nodeValue, `${parentElement?.tagName} ${parentElement?.className}`);
    }
    for (const element of document.querySelectorAll("*"))
      for (const name of ["title", "aria-label", "aria-description", "alt", "placeholder"])
        look(element.getAttribute(name), `${element.tagName} ${name}`);
    look(document.title, "title of the page");
    return found;
  });

const row = () => page.getByRole("option").filter({ hasText: "Plan bad" });
const turns = () => page.getByRole("treegrid", { name: "Turns" }).getByRole("row");

it("is visible in the library, the transcript, the tree and their menus", async () => {
  await row().waitFor();
  expect(await row().innerText()).toContain("bad␛[31m␇x[U+202E]gnp[U+2066][U+200B]");
  expect(await rawTexts()).toEqual([]);
  await row().click();
  await page.getByRole("feed", { name: "Messages" }).getByRole("article").first().waitFor();
  await turns().first().waitFor();
  expect(await rawTexts()).toEqual([]);
  await page.getByRole("feed").getByText("run_command").first().click();
  await page.getByRole("feed").getByText("write_file").first().click();
  await expect.poll(rawTexts).toEqual([]);
  await row().click({ button: "right" });
  await page.getByRole("menu").waitFor();
  expect(await rawTexts()).toEqual([]);
  await closeFloating(page);
  await turns().first().click({ button: "right" });
  await page.getByRole("menu").waitFor();
  expect(await rawTexts()).toEqual([]);
  await closeFloating(page);
  await turns().last().hover();
  await page.waitForTimeout(700); // a card of the turn appears, or not
  expect(await rawTexts()).toEqual([]);
  await checkPage(page);
});

it("is visible in the search, its hits and its chips", async () => {
  await page.keyboard.press("Control+Shift+F");
  const search = page.getByPlaceholder("Search messages");
  await search.fill("word");
  await page.getByRole("option").filter({ hasText: "word" }).first().waitFor();
  expect(await rawTexts()).toEqual([]);
  await page.getByRole("dialog").press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Plan bad");
  await page.getByRole("dialog").getByRole("option").filter({ hasText: "Plan bad" }).waitFor();
  expect(await rawTexts()).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

it("is visible in statistics, and where sessions are filtered", async () => {
  await page.keyboard.press("Control+Shift+S");
  await page.getByRole("region", { name: "Statistics" }).getByText("bad␛").first().waitFor();
  expect(await rawTexts()).toEqual([]);
  await page.getByRole("button", { name: "Close the statistics" }).click();
});

it("stays in the title that is edited, and in the toast it is visible", async () => {
  await row().click();
  const heading = page.getByRole("heading", { level: 2 }).filter({ hasText: "Plan bad" });
  await heading.dblclick();
  const field = page.getByRole("textbox", { name: "Title", exact: true });
  expect(await field.inputValue()).toBe(title);
  await field.press("End");
  await field.press("!");
  await field.press("Enter");
  await page.getByText(/^Renamed to/).waitFor();
  expect(await rawTexts()).toEqual([]);
  await expect
    .poll(async () => JSON.parse(await program.cli("show", id, "--json")).session.title)
    .toMatch(/x\u202egnp\u2066\u200b *!$/); // controls are spaces in a title that is set
});
