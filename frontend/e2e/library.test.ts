import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { listSessions, mailSession } from "./samples";

let program: Program;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  program = await startProgram();
  browser = await openBrowser();
  page = await openPage(browser, program.url);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const rows = () => page.getByRole("listbox", { name: "Sessions" }).getByRole("option");

it("explains an empty library and loads the samples", async () => {
  await page.getByRole("heading", { name: "Every conversation, one tree each" }).waitFor();
  await checkPage(page);
  await page.getByRole("button", { name: "Load the sample library" }).click();
  await expect.poll(() => rows().count()).toBe(8);
  await checkPage(page);
});

it("narrows the list as one types", async () => {
  const filter = page.getByRole("textbox", { name: /^Filter sessions/ });
  await filter.fill("outgoing");
  await expect.poll(() => rows().count()).toBe(1);
  await filter.fill("");
  await expect.poll(() => rows().count()).toBe(8);
});

it("moves several to the trash at once and brings them back by Undo", async () => {
  await rows().nth(2).click();
  await rows()
    .nth(4)
    .click({ modifiers: ["Shift"] });
  await page.getByText("3 selected").waitFor();
  await page.keyboard.press("Delete");
  await expect.poll(() => rows().count()).toBe(5);
  expect((await listSessions(program)).size).toBe(5);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => rows().count()).toBe(8);
});

it("shows the change another process makes", async () => {
  const session = (await listSessions(program)).get(mailSession);
  await program.cli("delete", session?.id ?? "");
  await expect.poll(() => rows().count()).toBe(7);
  await program.cli("trash", "restore", session?.id ?? "");
  await expect.poll(() => rows().count()).toBe(8);
});

it("renames a session in its row", async () => {
  const row = rows().filter({ hasText: "Trieste" });
  await row.click();
  await expect.poll(() => row.getAttribute("aria-selected")).toBe("true");
  await page.keyboard.press("F2");
  const title = page.getByRole("textbox", { name: "Title", exact: true });
  await expect.poll(() => title.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Trieste by train");
  await page.keyboard.press("Enter");
  await expect
    .poll(async () => [...(await listSessions(program)).keys()])
    .toContain("Trieste by train");
});

it("opens again as it was left", async () => {
  await rows().filter({ hasText: mailSession }).click();
  await page.getByRole("feed", { name: "Messages" }).waitFor();
  await new Promise((wake) => setTimeout(wake, 600)); // what is remembered is written after a pause
  await page.close();
  await program.restart();
  page = await openPage(browser, program.url);
  await page.getByRole("feed", { name: "Messages" }).waitFor();
  await page.getByText("I'll find every caller first.").waitFor();
  await checkPage(page);
});
