// Printing a path: the frame that is printed has its text and runs no script.

import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { mailSession, openSession, withSamples } from "./samples";

let program: Program;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  program = await startProgram(withSamples);
  browser = await openBrowser();
  page = await openPage(browser, program.url);
  await openSession(page, mailSession);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const frame = () => page.locator("iframe#printed");

/** Counts in the page how often a frame is printed; chromium without a screen opens no dialog. */
async function countPrints(): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counter = window as unknown as { prints: number };
    counter.prints = 0;
    const listen = ({ target }: Event) => {
      if (target instanceof HTMLIFrameElement)
        target.contentWindow?.addEventListener("beforeprint", () => counter.prints++);
    };
    document.addEventListener("load", listen, true);
  });
  return () => page.evaluate(() => (window as unknown as { prints: number }).prints);
}

/** What is printed, after the key was pressed. */
async function printed(): Promise<string | null> {
  await page.keyboard.press("Control+p");
  await frame().waitFor({ state: "attached" });
  const body = frame().contentFrame().locator("body");
  await expect.poll(() => body.textContent()).toContain(mailSession);
  return body.textContent();
}

it("prints the path on screen, of the digest prompts and answers alone", async () => {
  const prints = await countPrints();
  const all = await printed();
  await expect.poll(prints).toBe(1);
  expect(all).toContain("Use an outbox table");
  await page
    .getByRole("group", { name: "How much is shown" })
    .getByRole("button", { name: "Digest" })
    .click();
  await page.getByRole("feed", { name: "Digest" }).waitFor();
  await expect.poll(async () => (await printed())?.length).toBeLessThan(all?.length ?? 0);
  expect(await frame().count()).toBe(1);
  expect(await frame().getAttribute("sandbox")).not.toContain("scripts");
  await checkPage(page);
});
