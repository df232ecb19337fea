// The digest of turns, on the real bindings.

import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openFirstPage } from "./browser";
import { type Program, startProgram } from "./program";
import { mailSession, openSession, questionSession, withSamples } from "./samples";

let program: Program;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  program = await startProgram(withSamples);
  browser = await openBrowser({ width: 1440, height: 900 });
  page = await openFirstPage(browser, program.url);
  page.setDefaultTimeout(15_000);
  await openSession(page, mailSession);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

/** Words of a step in the middle of a turn. */
const betweenPromptAndAnswer = "the mailer itself and the two that run";

const feed = (name: string) => page.getByRole("feed", { name });

it("shows a digest of each turn at first, which opens to its calls", async () => {
  const bar = feed("Digest")
    .getByRole("button", { name: /^Worked.*steps?.*\+/ })
    .first();
  await bar.waitFor();
  // The steps between the prompt and the answer are folded.
  expect(await feed("Digest").locator(".work-phase").count()).toBe(0);
  await bar.click();
  const edited = feed("Digest")
    .getByRole("button", { name: /^Edited/ })
    .first();
  await edited.click();
  const call = feed("Digest").locator(".work-calls .fold-line").first();
  await call.click();
  await feed("Digest")
    .getByRole("figure", { name: /^Changes to/ })
    .first()
    .waitFor();
  await checkPage(page);
});

it("goes from prompt to prompt by keys, and keeps the place in the other modes", async () => {
  const line = page.getByText(/^prompt \d+ of \d+$/);
  await page.keyboard.press("Control+2");
  await page.keyboard.press("Home");
  await page.getByText(/^prompt 1 of/).waitFor();
  await page.keyboard.press("j");
  await page.getByText(/^prompt 2 of/).waitFor();
  await page.keyboard.press("j");
  await page.getByText(/^prompt 3 of/).waitFor();
  await page.keyboard.press("k");
  await page.getByText(/^prompt 2 of/).waitFor();
  await page.keyboard.press("3");
  await feed("Prompts").getByRole("article").first().waitFor();
  await page.keyboard.press("2");
  await feed("Digest").getByRole("article").first().waitFor();
  await page.keyboard.press("1");
  await feed("Messages").getByRole("article").first().waitFor();
  expect(await line.textContent()).toMatch(/^prompt 2 of/);
});

it("shows all messages for what a digest leaves out, until another session is opened", async () => {
  await page.keyboard.press("2");
  await feed("Digest").getByRole("article").first().waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type(betweenPromptAndAnswer);
  await page.getByRole("option").filter({ hasText: betweenPromptAndAnswer }).first().click();
  await feed("Messages").getByRole("article").first().waitFor();
  await openSession(page, questionSession);
  await feed("Digest").getByRole("article").first().waitFor();
});
