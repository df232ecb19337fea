// Who has no key and no model server: what the window says, and what can be tried without one.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, closeFloating, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";

let program: Program;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  program = await startProgram(async ({ home }) => {
    // What runs on the machine of this test is not the newcomer's.
    const folder = join(home, "config", "coppice");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "config.yaml"), "local_servers: false\n");
  });
  browser = await openBrowser();
  page = await openPage(browser, program.url);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const feed = () => page.getByRole("feed", { name: "Messages" });
const field = () => page.getByRole("region", { name: "Composer" }).getByRole("textbox");
const newest = async (): Promise<{ status: string; branchCount: number; model: string }> =>
  JSON.parse(await program.cli("sessions", "--limit", "1", "--json"))[0];

it("shows what was found, and what to do", async () => {
  await page.getByText("No key and no model server was found").waitFor();
  await checkPage(page);
  await page.getByRole("button", { name: "What to do" }).click();
  await page.getByText("set ANTHROPIC_API_KEY").waitFor();
  await page.getByText("local model servers are turned off").first().waitFor();
  await checkPage(page);
  await closeFloating(page);
});

it("lets a stopped session of the samples continue only with a model, and explains it", async () => {
  await page.getByRole("button", { name: "Load the sample library" }).click();
  await page.getByRole("option").filter({ hasText: "interrupted" }).first().click();
  // It is known by now that there is no model; before, the run itself is refused.
  await page.getByRole("button", { name: "Add a model" }).waitFor();
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByText("No model is reachable yet.").waitFor();
  await closeFloating(page);
});

it("plays a script where there is no model, plainly marked as one", async () => {
  await page.keyboard.press("Control+n");
  await page.getByRole("main").getByRole("heading", { name: "Home" }).waitFor();
  await field().fill("Write a note about coppicing");
  // What is chosen in the list that opens is used by the next Enter.
  await page.keyboard.press("Enter");
  await page.getByText("No model is reachable yet.").waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("scripted: no model is called").waitFor();
  await expect.poll(() => field().evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.press("Enter");
  await feed().getByText("scripted answer, no model was called").first().waitFor();
  await page.getByRole("alertdialog").getByText("notes.md").first().waitFor();
  await checkPage(page);
  await page.getByRole("button", { name: /Allow once/ }).click();
  await feed().getByText("Allowed or refused, the call").waitFor();
  await expect.poll(async () => (await newest()).status).toBe("success");
  expect((await newest()).model).toBe("script/demo");
});

it("lets the newcomer branch and regenerate", async () => {
  await feed().getByRole("article", { name: /^You/ }).first().focus();
  await page.keyboard.press("e");
  await expect.poll(() => field().inputValue()).toBe("Write a note about coppicing");
  await field().fill("Show me code and a table");
  await page.keyboard.press("Enter");
  await feed().getByText("Code first:").waitFor();
  await expect.poll(async () => (await newest()).branchCount).toBe(2);
  // The window has seen the end, too, and shows what is kept of it.
  await page.getByRole("button", { name: "Send", exact: true }).waitFor();
  await expect
    .poll(() =>
      feed()
        .getByRole("article", { name: /is answering$/ })
        .count(),
    )
    .toBe(0);
  await feed().getByRole("article").last().focus();
  await page.keyboard.press("r");
  await feed().getByText("The same in SQL:").waitFor();
  await feed().getByRole("button", { name: "Alternative 2 of 2" }).nth(1).waitFor();
  await expect.poll(async () => (await newest()).branchCount).toBe(3);
  await checkPage(page);
});
