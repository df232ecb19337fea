import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { mailSession, openSession, turnRow, withSamples } from "./samples";

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
  const marked = () =>
    page.evaluate(() => [...(CSS.highlights.get("passage") ?? [])].map(String).join("|"));
  await expect.poll(marked).toBe("Try number 2 first");
});

it("unfolds the branch that a hit is in", async () => {
  const turn = turnRow(page, "n4");
  await openSession(page, mailSession);
  await turnRow(page, "n10").click(); // on another path than the hit
  await expect.poll(() => turnRow(page, "n10").getAttribute("aria-current")).toBe("true");
  await page.keyboard.press("Control+k");
  await page.keyboard.type(">fold all but");
  await page.getByRole("option", { name: /^Fold all but the path/ }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => turn.count()).toBe(0);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("process restarts at that moment");
  await page.getByRole("option").filter({ hasText: "restarts at that moment" }).first().click();
  await expect.poll(() => turn.getAttribute("aria-current")).toBe("true");
});

it("narrows a search by chips, counts the hits of each session and opens one by keys alone", async () => {
  await page.keyboard.press("Control+Shift+F");
  await page.getByPlaceholder("Search messages").fill("try OR number");
  const hits = page.getByRole("option");
  await hits.first().waitFor();
  await page
    .getByText(/^\d+ hits?$/)
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Role: Anyone" }).click();
  await page.getByRole("menuitemcheckbox", { name: "You" }).click();
  await page.getByRole("button", { name: "Role: You" }).waitFor();
  await expect.poll(() => hits.filter({ hasNotText: "You" }).count()).toBe(0);
  await checkPage(page);
  await page.getByPlaceholder("Search messages").fill("Try number 2 first");
  await hits.filter({ hasText: "Try number 2 first" }).first().waitFor();
  await page.getByPlaceholder("Search messages").press("Enter");
  await page.getByRole("feed", { name: "Messages" }).getByText("Try number 2 first").waitFor();
});

it("finds text within words, and reports that no message has the words", async () => {
  await page.keyboard.press("Control+Shift+F");
  await page.getByPlaceholder("Search messages").fill("umber 2 firs");
  await page.getByText(/No message contains these words/).waitFor();
  await page.keyboard.press("Alt+t");
  await page.getByRole("option").first().waitFor();
  await expect.poll(() => page.getByText(/No message contains these words/).count()).toBe(0);
  await page.getByPlaceholder("Search messages").fill("role:admin x");
  await page.keyboard.press("Alt+t");
  await page.getByText(/wrong at character 1/).waitFor();
  await checkPage(page);
  await page.keyboard.press("Escape");
});

it("finds by an expression that no index helps with", async () => {
  await page.keyboard.press("Control+Shift+F");
  await page.getByRole("button", { name: "Regular expression" }).click();
  await page.getByPlaceholder("Search messages").fill("[A-Z]r. [a-z]+ [0-9] .irst");
  await page.getByRole("option").filter({ hasText: "Try number 2 first" }).first().waitFor();
  await page.locator("footer p", { hasText: /^\d+ hits?$/ }).waitFor();
  await page.keyboard.press("Escape");
});

it("reports what is wrong with a regular expression", async () => {
  await page.keyboard.press("Control+Shift+F");
  await page.getByRole("button", { name: "Regular expression" }).click();
  await page.getByPlaceholder("Search messages").fill("(open");
  await page.getByText(/^Invalid regular expression/).waitFor();
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

it("keeps the query, and goes from hit to hit in the header", async () => {
  await page.keyboard.press("Control+k");
  const field = page.getByPlaceholder(/^Search everything/);
  await field.fill("try OR number");
  const hits = page.getByRole("option").filter({ has: page.locator("mark") });
  await expect.poll(() => hits.count()).toBeGreaterThan(2);
  await hits.first().click();
  const pager = page.getByRole("group", { name: "Hits of the search" });
  const count = () => pager.getByRole("status").textContent();
  await expect.poll(count).toMatch(/^1 \/ \d+\+?$/);
  await page.keyboard.press("F4");
  await expect.poll(count).toMatch(/^2 \/ /);
  await pager.getByRole("button", { name: "Previous hit" }).click();
  await expect.poll(count).toMatch(/^1 \/ /);
  await checkPage(page);
  await page.keyboard.press("Control+k");
  expect(await field.inputValue()).toBe("try OR number");
  await page.keyboard.press("Escape");
  await pager.getByRole("button", { name: "Forget the hits" }).click();
  await expect.poll(() => pager.count()).toBe(0);
});
