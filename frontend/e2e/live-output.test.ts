// The output of a command while it runs, as a new user sees it. The command waits for a file, so the test decides how long that is.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openFirstPage } from "./browser";
import { type Program, startProgram } from "./program";
import { useScript } from "./scripts";

let program: Program;
let browser: BrowserContext;
let page: Page;

const printing = (file: string) => ({
  name: "run_command",
  arguments: {
    command: [
      "printf '\\033[32mgreen\\033[0m line\\n'",
      "printf '\\r15%%\\r30%%\\r45%%\\n'",
      "printf 'b\\007l\\342\\200\\256r\\n'",
      "seq -f 'part %g is compiled' 1 3",
      `until [ -e ${file} ]; do sleep 0.1; done`,
      "echo ended",
    ].join("; "),
  },
});

beforeAll(async () => {
  program = await startProgram(async (prepared) => {
    await useScript(prepared, {
      turns: [
        {
          match: "(?i)build",
          alternatives: [[{ text: "I build.", toolCalls: [printing("go")] }, { text: "Built." }]],
        },
        {
          match: "(?i)forever",
          alternatives: [[{ text: "I wait.", toolCalls: [printing("never")] }, { text: "No." }]],
        },
      ],
    });
  });
  browser = await openBrowser({ width: 1280, height: 560 });
  page = await openFirstPage(browser, program.url);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const feed = () => page.getByRole("feed", { name: "Messages" });
const field = () => page.getByRole("region", { name: "Composer" }).getByRole("textbox");
const output = () => feed().getByTitle("The end of what it has printed so far");
const say = async (text: string) => {
  await field().waitFor();
  await field().fill(text);
  await page.keyboard.press("Enter");
  await page.getByRole("alertdialog").getByRole("button", { name: "Allow once" }).click();
};
const isAtEnd = () =>
  feed().evaluate((box) => box.scrollTop + box.clientHeight >= box.scrollHeight - 2);
const live = ["green line", "45%", "b␇l[U+202E]r", "part 1 is compiled", "part 2 is compiled"];

it("shows the last lines of a command while it runs, as a terminal would", async () => {
  await say("Build it");
  await output().getByText("part 3 is compiled").waitFor();
  expect((await output().textContent())?.split("\n")).toEqual([...live, "part 3 is compiled"]);
  expect(await program.cli("sessions", "--json")).toContain('"running"');
  await checkPage(page);
});

it("replaces them by the result when it ends", async () => {
  await writeFile(join(program.home, "data/coppice/scratch/go"), "");
  await feed().getByText("Built.").waitFor();
  await expect.poll(() => output().count()).toBe(0);
  await feed().getByText("ended").first().waitFor();
});

it("shows all messages again for the next run, at its end; stops a command that prints, and keeps what it has printed", async () => {
  await page.getByRole("feed", { name: "Messages" }).focus();
  await page.keyboard.press("2");
  await page.getByRole("feed", { name: "Digest" }).waitFor();
  await page.keyboard.press("Home");
  await say("Now forever");
  await output().getByText("part 3 is compiled").waitFor();
  await expect.poll(() => isAtEnd()).toBe(true);
  await field().focus();
  await page.keyboard.press("Escape");
  await page.getByText("Stopped by you").waitFor();
  await expect.poll(() => output().count()).toBe(0);
  await feed().getByText("part 3 is compiled").last().waitFor();
  expect(await program.cli("sessions", "--json")).toContain('"interrupted"');
  await checkPage(page);
});
