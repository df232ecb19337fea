// Formulas and diagrams of messages, drawn by their libraries under the content policy of the window.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { openSession } from "./samples";

const prompt = "Explain the quadratic formula for $5 and $6";
const answer = [
  "The solutions of $ax^2 + bx + c = 0$ are",
  "",
  "$$",
  "x_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}",
  "$$",
  "",
  "Broken: $\\frac{1}{x$, hostile: $\\href{javascript:alert(1)}{x^2}$.",
  "",
  "```mermaid",
  "flowchart TD",
  "  A[Start] --> B{Discriminant}",
  "  B -->|positive| C[Two solutions]",
  "```",
  "",
  "```mermaid",
  'flowchart TD\n  A["<img src=x onerror=document.title=1>"]',
  "```",
  "",
  "```mermaid",
  "no diagram at all",
  "```",
].join("\n");

let program: Program;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  program = await startProgram(async (prepared) => {
    const folder = join(prepared.home, "claude", "projects", "garden");
    await mkdir(folder, { recursive: true });
    const sessionId = "11111111-2222-4333-8444-666666666666";
    const base = { sessionId, isSidechain: false, cwd: "/home/ada/garden", version: "2.1.42" };
    const records = [
      {
        ...base,
        uuid: "q1",
        parentUuid: null,
        timestamp: "2026-03-04T05:00:00.000Z",
        type: "user",
        message: { role: "user", content: prompt },
      },
      {
        ...base,
        uuid: "a1",
        parentUuid: "q1",
        timestamp: "2026-03-04T05:00:09.000Z",
        type: "assistant",
        message: {
          id: "msg_a1",
          role: "assistant",
          model: "claude-opus-4-6",
          content: [{ type: "text", text: answer }],
          usage: { input_tokens: 10, output_tokens: 100 },
        },
      },
    ];
    const file = join(folder, `${sessionId}.jsonl`);
    await writeFile(file, records.map((one) => `${JSON.stringify(one)}\n`).join(""));
    await prepared.cli("import", file);
  });
  browser = await openBrowser({ width: 1440, height: 900 });
  page = await openPage(browser, program.url);
  page.setDefaultTimeout(30_000);
  await openSession(page, "quadratic formula");
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const feed = () => page.getByRole("feed", { name: "Messages" });

it("typesets formulas in fonts of the program, and leaves prices and what is broken as they are", async () => {
  await feed().locator(".formula .katex").nth(1).waitFor();
  expect(await feed().locator(".formula").count()).toBe(2);
  expect(await feed().locator(".formula.display").count()).toBe(1);
  await feed().getByText(prompt).waitFor();
  const code = await feed().locator("code.math").allTextContents();
  expect(code).toEqual(["$\\frac{1}{x$", "$\\href{javascript:alert(1)}{x^2}$"]);
  await page.evaluate(() => document.fonts.ready);
  const loaded = () =>
    page.evaluate(() =>
      [...document.fonts].some(
        ({ family, status }) => /KaTeX_Math/.test(family) && status === "loaded",
      ),
    );
  await expect.poll(loaded).toBe(true);
});

it("draws diagrams as images, and leaves others as code", async () => {
  const image = feed().getByRole("img", { name: "Diagram" });
  await image.waitFor();
  await expect
    .poll(() => image.evaluate((one) => (one as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(50);
  await feed().getByText("no diagram at all").waitFor();
  await feed().getByText("onerror=document.title").waitFor();
  expect(await image.count()).toBe(1);
  await feed().getByRole("button", { name: "Show source" }).click();
  await feed().getByText("A[Start] --> B{Discriminant}").waitFor();
  await feed().getByRole("button", { name: "Show diagram" }).click();
  await image.waitFor();
  expect(await page.title()).not.toBe("1");
  await checkPage(page);
});
