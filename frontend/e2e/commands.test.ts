// The user's own commands: the field lists them after a slash, and Go sends the prompt of the one that is named.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { useScript } from "./scripts";

let program: Program;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  program = await startProgram(async ({ home }) => {
    await useScript({ home }, { turns: [{ alternatives: [[{ text: "Seen: {{prompt}}" }]] }] });
    const folder = join(home, "config/coppice/commands");
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, "review.md"),
      "---\ndescription: Looks for defects\nargument-hint: FILE\n---\nReview $1 closely.\n",
    );
    await writeFile(join(folder, "explain.md"), "Explain $ARGUMENTS to a newcomer.\n");
  });
  browser = await openBrowser();
  page = await openPage(browser, program.url);
  page.setDefaultTimeout(15_000);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

it("completes and sends a command", async () => {
  const field = page.getByRole("region", { name: "Composer" }).getByRole("textbox");
  await field.fill("/");
  const list = page.getByRole("listbox", { name: "Commands" });
  await list.getByRole("option", { name: "/review FILE Looks for defects" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await checkPage(page);
  await field.fill("/rev");
  await page.keyboard.press("Tab");
  await field.pressSequentially("main.go");
  await page.keyboard.press("Enter");
  await page.getByText("Seen: Review main.go closely.").waitFor();
});
