import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, floatingGone, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import {
  type ListedSession,
  listSessions,
  mailSession,
  openSession,
  turnRow,
  viewTurn,
  withSamples,
} from "./samples";
import { useScript } from "./scripts";

let program: Program;
let browser: BrowserContext;
let page: Page;
let session: ListedSession;

beforeAll(async () => {
  program = await startProgram(async (at) => {
    await withSamples(at);
    await useScript(at, { turns: [{ alternatives: [[{ text: "One worker, measured." }]] }] });
  });
  browser = await openBrowser({ width: 1440, height: 900 });
  page = await openPage(browser, program.url);
  page.setDefaultTimeout(15_000);
  const found = (await listSessions(program)).get(mailSession);
  if (!found) throw new Error(`no session ${mailSession}`);
  session = found;
  await openSession(page, mailSession);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const feed = () => page.getByRole("feed", { name: "Messages" });
const rows = () => page.getByRole("feed", { name: "Turns side by side" });
const side = (name: string) => page.getByRole("region", { name: new RegExp(`The ${name} branch`) });
const shown = async (...args: string[]) => JSON.parse(await program.cli(...args, "--json"));

it("sets the branch of a turn beside the path on screen", async () => {
  await viewTurn(page, "dead end");
  await feed().getByText("Try number 2 first").waitFor();
  await turnRow(page, "n10").click({ button: "right" });
  await page.getByRole("menuitem", { name: /^Compare with path on screen/ }).click();
  await rows().getByText("Try number 2 first").waitFor();
  await rows().getByText("Use an outbox table. A mail must survive a restart").waitFor();
  const comparison = await shown("compare", session.id, "n4", "n10");
  await side("left").getByText(`${comparison.left.messages} messages`).waitFor();
  await side("right").getByText(`${comparison.right.turns} turns`).waitFor();
  for (const name of ["left", "right"]) {
    await side(name).getByText(/\$\d/).waitFor();
    await side(name).getByText(/tok$/).waitFor();
  }
  await rows()
    .getByRole("button", { name: `${comparison.shared} shared messages` })
    .waitFor();
  await checkPage(page);
});

it("opens the end of what both share", async () => {
  const line = rows().getByRole("button", { name: /shared messages/ });
  await line.click();
  await rows().getByText("What are the options? No new services to run").waitFor();
  await line.click();
});

it("lists the files each branch changed, and what both made of one", async () => {
  await rows().getByRole("button", { name: "7 files changed: 1 by both, 6 only right" }).click();
  const files = rows().getByRole("list", { name: "Files changed" });
  const both = files.getByRole("button", { name: /confirm\.go/ });
  expect(await both.textContent()).toContain("+4 −3");
  await both.click();
  await files
    .getByRole("figure", { name: /confirm\.go/ })
    .nth(1)
    .waitFor();
  await checkPage(page);
  await rows()
    .getByRole("button", { name: /files changed/ })
    .click();
});

it("marks the words that are other, of one row or of all", async () => {
  await rows().getByRole("button", { name: "Compare words of this turn" }).first().click();
  await rows()
    .getByText(/the same$|in common$/)
    .first()
    .waitFor();
  expect(await rows().getByRole("deletion").count()).toBeGreaterThan(0);
  await page.keyboard.press("w");
  await expect
    .poll(() =>
      rows()
        .getByText(/the same$|in common$/)
        .count(),
    )
    .toBeGreaterThan(0);
  await checkPage(page);
  await page.keyboard.press("w");
});

it("swaps the sides, and takes another branch for one", async () => {
  await page.keyboard.press("x");
  await side("right").getByText("dead end").waitFor();
  await page.keyboard.press("x");
  await side("left")
    .getByRole("button", { name: /choose another branch/ })
    .click();
  await page.getByRole("menuitem").last().click();
  await side("left")
    .getByRole("button", { name: /^(?!dead end:).+: choose another branch/ })
    .waitFor();
  await floatingGone(page);
});

it("closes by Escape, opens from the transcript, and goes back by the same keys", async () => {
  await page.keyboard.press("Escape");
  await feed().waitFor();
  await page.keyboard.press("Control+Shift+D");
  await rows().waitFor();
  await page.keyboard.press("Control+Shift+D");
  await feed().waitFor();
  await viewTurn(page, "dead end");
  await page.keyboard.press("End");
  await page.keyboard.press("d");
  await rows().getByText("No shared messages").waitFor();
  await page.keyboard.press("Escape");
  await viewTurn(page, "n10");
  await feed().getByRole("button", { name: "Alternative 1 of 2" }).first().click();
  await page.getByRole("menuitem", { name: "Compare the two" }).click();
  await rows().waitFor();
  await page.keyboard.press("Escape");
});

it("continues one of the two, and takes that back", async () => {
  await viewTurn(page, "dead end");
  await page.keyboard.press("Control+Shift+D");
  await side("left").getByRole("button", { name: "Continue from here" }).click();
  await expect.poll(async () => (await shown("tree", session.id)).headTurn).toBe(4);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(async () => (await shown("tree", session.id)).headTurn).toBe(10);
});

it("writes a prompt that brings both together, and remembers what it cites", async () => {
  await viewTurn(page, "n9");
  await page.keyboard.press("Control+Shift+D");
  await page.getByRole("button", { name: "Merge…" }).click();
  await page.getByRole("menuitem").filter({ hasText: "Continue from the fork" }).click();
  const field = page.getByRole("textbox", { name: "Message" });
  await expect.poll(() => field.inputValue()).toContain("> Before I write it: one worker");
  for (const name of ["left", "right"])
    expect(await field.inputValue()).toContain(`The ${name} branch ends with:`);
  await page.getByText("Merging two branches: the message cites its sources").waitFor();
  await checkPage(page);
  await field.press("Enter");
  await feed().getByText("One worker, measured.").waitFor();
  const { path } = await shown("show", session.id);
  const prompt = path.at(-2);
  expect(prompt.meta.cites).toHaveLength(2);
  await feed().getByText("Merges").waitFor();
  await feed().getByRole("button", { name: "Go to passage 1" }).click();
  await feed().getByText("Before I write it: one worker").waitFor();
});
