import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { useScript } from "./scripts";

let program: Program;
let browser: BrowserContext;
let page: Page;

const count = Array.from({ length: 400 }, (_, number) => `number ${number + 1}`).join(", ");
const note = { path: "note.md", content: "# Note\n\nthe sweep runs hourly\n" };

beforeAll(async () => {
  program = await startProgram(async (prepared) => {
    await useScript(prepared, {
      contextTokens: 100_000,
      tokensPerSecond: 120,
      turns: [
        {
          match: "(?i)note",
          alternatives: [
            [
              {
                reasoning: "A note wants a file.",
                text: "I will write it down.\n\nOne file is enough.",
                toolCalls: [{ name: "write_file", arguments: note }],
              },
              { text: "It is **written**." },
            ],
          ],
        },
        { match: "(?i)count", alternatives: [[{ text: count }], [{ text: "That was enough." }]] },
        {
          match: "(?i)poem",
          alternatives: [[{ text: "Roots stay, shoots go." }], [{ text: "Cut back, it grows." }]],
        },
        {
          match: "(?i)fail",
          alternatives: [
            [
              {
                text: "Half an",
                error: { code: "auth", message: "the key was refused", times: 1 },
              },
            ],
          ],
        },
      ],
    });
  });
  browser = await openBrowser({ width: 1440, height: 900 });
  page = await openPage(browser, program.url);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const feed = () => page.getByRole("feed", { name: "Messages" });
const field = () => page.getByRole("region", { name: "Composer" }).getByRole("textbox");
const card = () => page.getByRole("alertdialog");
const rows = () => page.getByRole("option");
const turns = () => page.getByRole("treegrid", { name: "Turns" }).getByRole("row");
const say = async (text: string) => {
  await field().fill(text);
  await page.keyboard.press("Enter");
};
const sessions = async (): Promise<
  { status: string; branchCount: number; messageCount: number }[]
> => JSON.parse(await program.cli("sessions", "--json"));

it("begins with a new session, and marks its model as a script", async () => {
  await field().waitFor();
  await page.getByText("scripted: no model is called").waitFor();
  await checkPage(page);
});

it("starts a run, shows the answer on its way, and asks before a tool writes", async () => {
  await say("Write a note about the sweep");
  await feed().getByText("I will write it down.").waitFor();
  await card().getByText("note.md").first().waitFor();
  await rows().getByText("waits for you").waitFor();
  await feed().getByText("waits for you").waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toContain("Allow once");
  await checkPage(page);
});

it("continues by a key, and does what was allowed", async () => {
  await page.keyboard.press("y");
  await feed().getByText("written", { exact: true }).waitFor();
  await expect.poll(async () => (await sessions())[0]?.status).toBe("success");
  const written = await readFile(join(program.home, "data/coppice/scratch/note.md"), "utf8");
  expect(written).toBe(note.content);
  await expect.poll(() => card().count()).toBe(0);
  await checkPage(page);
});

it("stops by Escape and keeps what was written", async () => {
  await say("Count to four hundred");
  await feed().getByText("number 12,").waitFor();
  await field().focus();
  await page.keyboard.press("Escape");
  await page.getByText("Stopped by you").waitFor();
  await feed().getByText("number 3,").waitFor();
  await expect.poll(async () => (await sessions())[0]?.status).toBe("interrupted");
  await checkPage(page);
});

it("continues where it stopped", async () => {
  await page.getByRole("button", { name: "Continue" }).click();
  await feed().getByText("That was enough.").waitFor();
  await expect.poll(async () => (await sessions())[0]?.status).toBe("success");
  await expect.poll(() => page.getByText("Stopped by you").count()).toBe(0);
});

it("edits the first prompt, as a branch beside the first", async () => {
  await turns().first().click();
  const first = feed().getByRole("article", { name: /^You/ }).first();
  await first.focus();
  await page.keyboard.press("e");
  await expect.poll(() => field().inputValue()).toBe("Write a note about the sweep");
  await page.getByText("Editing this prompt").waitFor();
  await checkPage(page);
  await say("Write a poem about the sweep");
  await feed().getByText("Roots stay, shoots go.").waitFor();
  await feed().getByRole("button", { name: "Alternative 2 of 2" }).first().waitFor();
  await expect.poll(async () => (await sessions())[0]?.branchCount).toBe(2);
  await feed().getByRole("button", { name: "Previous alternative" }).first().click();
  await feed().getByText("I will write it down.").waitFor();
  await page.getByText("not from the current position").waitFor();
  await feed().getByRole("button", { name: "Next alternative" }).first().click();
  await feed().getByText("Roots stay, shoots go.").waitFor();
});

it("regenerates beside the first answer", async () => {
  const answer = feed().getByRole("article").filter({ hasText: "Roots stay" });
  await answer.focus();
  await page.keyboard.press("r");
  await feed().getByText("Cut back, it grows.").waitFor();
  await expect.poll(async () => (await sessions())[0]?.branchCount).toBe(3);
  await checkPage(page);
});

it("shows why a run failed, and tries again", async () => {
  await say("Fail once");
  await page.getByText("The run failed").waitFor();
  await page.getByText("the key was refused").first().waitFor();
  await rows().getByText("failed").waitFor();
  await checkPage(page);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(async () => (await sessions())[0]?.status).toBe("success");
});

it("finds everything there again after a new start", async () => {
  await field().fill("not sent yet");
  await page.waitForTimeout(500);
  const before = (await sessions())[0];
  await page.close();
  await program.restart();
  page = await openPage(browser, program.url);
  await feed().waitFor();
  await expect.poll(() => field().inputValue()).toBe("not sent yet");
  await feed().getByText("Cut back, it grows.").waitFor();
  await turns().first().waitFor();
  expect((await sessions())[0]).toEqual(before);
  await checkPage(page);
});
