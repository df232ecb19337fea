import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { openSession, withSamples } from "./samples";

let program: Program;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  program = await startProgram(withSamples);
  browser = await openBrowser();
  page = await openPage(browser, program.url);
  await openSession(page, "Trieste");
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

it("finds a message on another branch of another session and opens it there", async () => {
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Try number 2 first");
  const hit = page.getByRole("option").filter({ hasText: "Try number 2 first" }).first();
  await hit.waitFor();
  await checkPage(page);
  await hit.click();
  await page.getByRole("feed", { name: "Messages" }).getByText("Try number 2 first").waitFor();
});

it("tells what is wrong with a regular expression", async () => {
  await page.keyboard.press("Control+Shift+F");
  await page.getByRole("button", { name: "Regular expression" }).click();
  await page.getByPlaceholder("Search messages").fill("(open");
  await page.getByText(/^Not a regular expression yet/).waitFor();
  await page.keyboard.press("Escape");
});

it("runs a command from the palette", async () => {
  await page.keyboard.press("Control+k");
  await page.keyboard.type(">dark theme");
  await page.getByRole("option", { name: /dark theme/i }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
  await checkPage(page); // contrast in the dark, too
});

it("lists every key on the shortcuts sheet", async () => {
  await page.keyboard.press("Control+/");
  await page
    .getByRole("dialog")
    .getByText(/shortcuts/i)
    .first()
    .waitFor();
  await checkPage(page);
  await page.keyboard.press("Escape");
});
