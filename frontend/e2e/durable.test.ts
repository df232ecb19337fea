import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { openSession } from "./samples";
import { useScript } from "./scripts";

let program: Program;
let browser: BrowserContext;
let page: Page;

const answer = `The sweep runs hourly. ${"It reads the queue from its end. ".repeat(8)}`;
const count = Array.from({ length: 400 }, (_, number) => `number ${number + 1}`).join(", ");
const questions = 7;

beforeAll(async () => {
  program = await startProgram(async (prepared) => {
    await useScript(prepared, {
      contextTokens: 100_000,
      tokensPerSecond: 150,
      turns: [
        { match: "(?i)count", alternatives: [[{ text: count }]] },
        { match: "(?i)sweep", alternatives: [[{ text: answer }, { text: "Awake again." }]] },
      ],
    });
    for (let question = 1; question <= questions; question++)
      await prepared.cli(
        ...["run", `Question ${question}: when does the sweep run?`],
        ...(question === 1 ? ["--name", "sweep"] : ["--session", "sweep"]),
      );
  });
  browser = await openBrowser();
  page = await openPage(browser, program.url);
  await openSession(page, "Question 1");
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const feed = () => page.getByRole("feed", { name: "Messages" });
const composer = () => page.getByRole("region", { name: "Composer" });
const session = async (name: string): Promise<{ status: string; stepCount: number }> =>
  JSON.parse(await program.cli("show", name, "--json")).session;
/** Runs a command by its title, as it is found in the palette. */
async function command(title: string) {
  await page.keyboard.press("Control+k");
  await page.keyboard.type(title);
  await page.getByRole("option", { name: title }).first().waitFor();
  await page.keyboard.press("Enter");
}

it("compacts the context with a kind of summary, and the summary opens to what it replaces", async () => {
  await command("Compact context");
  const dialog = page.getByRole("dialog", { name: "Compact context" });
  await dialog.getByText(`The model receives ${2 * questions} messages now`).waitFor();
  await checkPage(page);
  await dialog.getByLabel("Summary").selectOption({ label: "Beginnings of prompts and answers" });
  expect(await dialog.getByLabel("Focus").isDisabled()).toBe(true);
  await dialog.getByRole("button", { name: "Compact" }).click();
  await page.getByText(/^Context compacted: 15 → 1\d messages$/).waitFor();
  const { compacted } = JSON.parse(await program.cli("context", "sweep", "--json"));
  expect(compacted.strategy).toBe("simple");
  const fold = feed().getByRole("button", { name: /^4 messages summari/ });
  await fold.click();
  await feed().getByText("[COMPACTION SUMMARY]").waitFor();
  await composer()
    .getByText(/^sends 1\d messages/)
    .waitFor();
});

it("reports that nothing is worth compacting, and changes nothing", async () => {
  const before = await program.cli("show", "sweep", "--json");
  await command("Compact context");
  const dialog = page.getByRole("dialog", { name: "Compact context" });
  await dialog.getByRole("button", { name: "Compact" }).click();
  await page.getByText("Could not compact the context").waitFor();
  expect(await program.cli("show", "sweep", "--json")).toBe(before);
});

it("hibernates a session until a time, and continues it then", async () => {
  await command("Hibernate");
  const dialog = page.getByRole("dialog", { name: "Hibernate session" });
  const time = dialog.getByLabel("At a time");
  await checkPage(page);
  await time.fill("soon");
  await dialog.getByRole("button", { name: "Hibernate" }).click();
  await dialog.getByRole("alert").getByText('invalid time "soon"').waitFor();
  await dialog.getByRole("button", { name: "In an hour" }).click();
  expect(await time.inputValue()).toBe("1h");
  await dialog.getByRole("button", { name: "Hibernate" }).click();
  await page.getByText(/^Hibernated until you continue it, or at /).waitFor();
  await page.getByRole("region", { name: "Hibernated" }).waitFor();
  expect((await session("sweep")).status).toBe("hibernated");
  await command("Hibernate");
  await dialog.getByText("What you enter here replaces that").waitFor();
  await time.fill("2s");
  await dialog.getByRole("button", { name: "Hibernate" }).click();
  await feed().getByText("Awake again.").waitFor({ timeout: 30_000 });
  await expect.poll(async () => (await session("sweep")).status).toBe("success");
  expect(await program.cli("show", "sweep")).toContain("was hibernated and continues now");
});

it("continues a run with its mode, effort and limits after the window was killed", async () => {
  await program.cli(
    "run",
    "--name",
    "plan",
    "--mode",
    "plan",
    "--max-tokens",
    "200000",
    "--effort",
    "high",
    "Sweep the yard",
  );
  await openSession(page, "Sweep the yard");
  await composer().getByRole("textbox").fill("count to 400");
  await page.keyboard.press("Enter");
  await feed().getByText("number 20,").waitFor();
  // The page is ahead of the file, which gets the answer's text a few times a second.
  await expect
    .poll(() => program.cli("export", "plan", "--format", "json"), { timeout: 15_000 })
    .toContain("number 20,");
  await program.kill();
  await program.restart();
  await page.goto(program.url);
  await openSession(page, "Sweep the yard");
  const banner = page.getByRole("region", { name: "The program closed during the run" });
  await banner.waitFor();
  await feed().getByText("number 20,").waitFor();
  await composer().getByRole("button", { name: /Plan/ }).waitFor();
  await banner.getByRole("button", { name: "Continue" }).click();
  await feed().getByText("number 400").waitFor();
  await expect.poll(async () => (await session("plan")).status).toBe("success");
  const context = JSON.parse(await program.cli("context", "plan", "--json"));
  expect(context).toMatchObject({ mode: "plan", effort: "high", limits: { tokens: 200_000 } });
});
