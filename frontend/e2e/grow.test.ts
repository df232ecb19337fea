// How a session grows: from a quote, by saying something anew, by another model.

import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { useScript } from "./scripts";

let program: Program;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  program = await startProgram(async (prepared) => {
    await useScript(prepared, {
      contextTokens: 100_000,
      turns: [
        {
          match: "woods",
          alternatives: [
            [{ text: "Oak is slow and strong.\n\nHazel grows back quickly." }],
            [{ text: "Ash burns well." }],
          ],
        },
        { match: "more", alternatives: [[{ text: "There is more to say." }]] },
      ],
    });
  });
  browser = await openBrowser({ width: 1440, height: 900 });
  page = await openPage(browser, program.url);
  page.setDefaultTimeout(15_000);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const feed = () => page.getByRole("feed", { name: "Messages" });
const composer = () => page.getByRole("region", { name: "Say something" });
const field = () => composer().getByRole("textbox");
const said = (text: string): Locator => feed().getByRole("article").filter({ hasText: text });
const say = async (text: string, answer: string) => {
  await field().fill(text);
  await page.keyboard.press("Enter");
  await feed().getByText(answer).waitFor();
  await idle();
};
const idle = () => expect.poll(async () => (await told()).status).toBe("success");
const told = async () => JSON.parse(await program.cli("sessions", "--json"))[0];

interface Message {
  uid: string;
  parentUid?: string;
  role: string;
  meta?: { cites?: string[] };
  parts: { text?: string }[];
}
const messages = async (): Promise<Message[]> =>
  JSON.parse(await program.cli("export", (await told()).id, "--format", "json")).messages;
const saying = async (text: string): Promise<Message> => {
  const found = (await messages()).find(({ parts }) => parts.some((p) => p.text?.includes(text)));
  if (!found) throw new Error(`nothing says ${text}`);
  return found;
};

it("branches from a selected span, which the new prompt quotes and cites", async () => {
  await say("Which woods are there?", "Hazel grows back quickly.");
  await say("Say more of them", "There is more to say.");
  const span = feed().getByText("Hazel grows back quickly.");
  await span.click({ clickCount: 3 });
  const bar = page.getByRole("toolbar", { name: "Selected text" });
  await bar.waitFor();
  await checkPage(page);
  await bar.getByRole("button", { name: "Branch from here with quote" }).click();
  await expect.poll(() => field().inputValue()).toBe("> Hazel grows back quickly.\n\n");
  await composer()
    .getByText(/Quoting n0: goes on from n0/)
    .waitFor();
  await expect.poll(() => feed().getByText("There is more to say.").count()).toBe(0);
  await expect.poll(() => bar.count()).toBe(0);
  const typed = () =>
    field().evaluate((one: HTMLTextAreaElement) => one.selectionStart === one.value.length);
  expect(await typed()).toBe(true);
  await checkPage(page);
  await page.keyboard.type("Say more of this one");
  await page.keyboard.press("Enter");
  await feed().getByText("There is more to say.").waitFor();
  await idle();
  const prompt = await saying("Say more of this one");
  const answer = await saying("Oak is slow");
  expect(prompt.parentUid).toBe(answer.uid);
  expect(prompt.meta?.cites).toEqual([answer.uid]);
  await said("Say more of this one").getByRole("button", { name: "Go to n0" }).waitFor();
  expect((await told()).branchCount).toBe(2);
});

it("quotes a message by its key, and keeps the head", async () => {
  await field().fill("About this:");
  const first = said("Oak is slow");
  await first.focus();
  await page.keyboard.press("Shift+Q");
  await expect
    .poll(() => field().inputValue())
    .toBe("About this:\n\n> Oak is slow and strong.\n>\n> Hazel grows back quickly.\n\n");
  await composer().getByText("Quotes").waitFor();
  await checkPage(page);
  const before = (await told()).headUid;
  await page.keyboard.type("say more");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await messages()).length).toBe(8);
  await idle();
  const prompt = await saying("About this:");
  expect(prompt.parentUid).toBe(before);
  expect(prompt.meta?.cites).toEqual([(await saying("Oak is slow")).uid]);
  await expect.poll(() => composer().getByText("Quotes").count()).toBe(0);
});

it("offers both in the message's menu, and gives up by Escape", async () => {
  await said("Oak is slow").first().click({ button: "right" });
  await page.getByRole("menuitem", { name: "Branch from here with quote" }).click();
  await expect.poll(() => field().inputValue()).toContain("> Oak is slow and strong.");
  await page.keyboard.press("Escape");
  await expect.poll(() => field().inputValue()).toBe("");
});
