// The find bar, from the digest of a session, on the real bindings.

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
  browser = await openBrowser({ width: 1440, height: 900 });
  page = await openPage(browser, program.url);
  page.setDefaultTimeout(15_000);
  await openSession(page, mailSession);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const feed = (name: string) => page.getByRole("feed", { name });
const mode = (name: string) =>
  page.getByRole("group", { name: "How much is shown" }).getByRole("button", { name });

it("finds a text on the whole path, opens what hides it, and counts other branches", async () => {
  await mode("Digest").click();
  await page.keyboard.press("Control+f");
  const field = page.getByRole("searchbox", { name: "Find in session" });
  await field.fill("outbox");
  const count = page.getByRole("search").getByRole("status");
  await expect.poll(() => count.textContent()).toMatch(/^\d+ of \d+$/);
  const [first, total] = ((await count.textContent()) ?? "").split(" of ").map(Number);
  if (!first || !total) throw new Error("nothing was found");
  // A hit is shown among all messages.
  await feed("Messages").waitFor();
  await field.press("Enter");
  await expect.poll(() => count.textContent()).toBe(`${(first % total) + 1} of ${total}`);
  await field.press("Shift+Enter");
  await expect.poll(() => count.textContent()).toBe(`${first} of ${total}`);
  await page.getByText(/more in other branches/).waitFor();
  await checkPage(page);
  await field.press("Escape");
  await expect.poll(() => field.count()).toBe(0);
});
