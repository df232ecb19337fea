// How a session grows: from a quote, by editing a prompt, by another model.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { useScript } from "./scripts";

const words = (word: string) => Array.from({ length: 600 }, (_, at) => `${word} ${at}`).join(", ");

const elm = {
  name: "elm",
  tokensPerSecond: 20,
  turns: [{ alternatives: [[{ text: words("elm") }]] }],
};

let program: Program;
let elmFile: string;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  program = await startProgram(async (prepared) => {
    elmFile = join(prepared.home, "elm.json");
    await writeFile(elmFile, JSON.stringify(elm));
    const scratch = join(prepared.home, "data", "coppice", "scratch");
    await mkdir(scratch, { recursive: true });
    await writeFile(join(scratch, "AGENTS.md"), "Mind the hedges.\n");
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
        { match: "together", alternatives: [[{ text: "Together: the tale." }]] },
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
const composer = () => page.getByRole("region", { name: "Composer" });
const field = () => composer().getByRole("textbox");
const said = (text: string): Locator => feed().getByRole("article").filter({ hasText: text });
const say = async (text: string, answer: string) => {
  await field().fill(text);
  await page.keyboard.press("Enter");
  await feed().getByText(answer).waitFor();
  await idle();
};
const idle = () => expect.poll(async () => (await newest()).status).toBe("success");
const newest = async () => JSON.parse(await program.cli("sessions", "--json"))[0];

interface Message {
  uid: string;
  parentUid?: string;
  role: string;
  meta?: { cites?: string[] };
  parts: { text?: string }[];
}
const messages = async (): Promise<Message[]> =>
  JSON.parse(await program.cli("export", (await newest()).id, "--format", "json")).messages;
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
    .getByText(/^Quoting a passage: the message cites/)
    .waitFor();
  await expect.poll(() => feed().getByText("There is more to say.").count()).toBe(0);
  await expect.poll(() => bar.count()).toBe(0);
  const typed = () =>
    field().evaluate((one: HTMLTextAreaElement) => one.selectionStart === one.value.length);
  expect(await typed()).toBe(true);
  await checkPage(page);
  // The visible path is the context: what follows the quoted message is not in it.
  await page.keyboard.press("Control+Shift+Y");
  await listed("Messages", "2 of 1 turn");
  await page.keyboard.press("Escape");
  await expect.poll(() => sendingList().count()).toBe(0);
  await field().focus();
  await page.keyboard.type("Say more of this one");
  await page.keyboard.press("Enter");
  await feed().getByText("There is more to say.").waitFor();
  await idle();
  const prompt = await saying("Say more of this one");
  const answer = await saying("Oak is slow");
  expect(prompt.parentUid).toBe(answer.uid);
  expect(prompt.meta?.cites).toEqual([answer.uid]);
  await said("Say more of this one").getByRole("button", { name: "Go to passage 1" }).waitFor();
  expect((await newest()).branchCount).toBe(2);
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
  const before = (await newest()).headUid;
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

const sendingList = () => page.getByRole("dialog", { name: "What is sent to the model" });
const sent = (term: string) =>
  sendingList()
    .locator("dl > div")
    .filter({ has: page.locator("dt", { hasText: term }) });
const listed = (term: string, text: string | RegExp) => sent(term).getByText(text).waitFor();

it("lists what the model will be sent: for a branch, and for an edited prompt", async () => {
  await field().fill("And then?");
  await page.keyboard.press("Control+Shift+Y");
  await listed("Messages", "2 of 1 turn");
  await listed("Prompt", "what you write here");
  await listed("System prompt", /with .*AGENTS\.md/);
  await sent("System prompt").getByText("agent build").click();
  await sendingList().getByText("Mind the hedges.").waitFor();
  await sent("Tools").getByText("Confirm sensitive").click();
  await sent("Tools").getByText("read_file", { exact: true }).waitFor();
  await checkPage(page);
  await page.keyboard.press("Escape");
  await expect.poll(() => sendingList().count()).toBe(0);
  await said("Which woods are there?").focus();
  await page.keyboard.press("e");
  await expect.poll(() => field().inputValue()).toBe("Which woods are there?");
  await page.keyboard.press("Control+Shift+Y");
  await listed("Messages", "none: this is the first message");
  await page.keyboard.press("Escape");
  await expect.poll(() => sendingList().count()).toBe(0);
  await field().focus();
  await page.keyboard.press("Escape");
  await expect.poll(() => field().inputValue()).toBe("And then?");
  await field().fill("");
});

const lanes = () => page.getByRole("group", { name: "Answers side by side" });
const lane = (name: string, at = 0) => lanes().getByRole("button", { name }).nth(at);

it("asks several models at once, one of them twice", async () => {
  await page.keyboard.press("Control+Shift+M");
  const picker = page.getByPlaceholder("Find a model, or type PROVIDER/MODEL");
  await picker.fill(`script/${elmFile}`);
  // The element has no title while its tooltip may show.
  const add = await page.getByTitle(`Ask script/${elmFile} too, side by side`).elementHandle();
  await add?.click();
  await add?.click();
  await page.getByText("Side by side:").waitFor();
  await checkPage(page);
  await page.keyboard.press("Escape");
  await composer().getByText("asks 3 models side by side").waitFor();
  await page.keyboard.press("Control+Shift+Y");
  await listed("Beside", /the same to .*elm\.json, .*elm\.json, each of which only reads/);
  await checkPage(page);
  await page.keyboard.press("Escape");
  const before = await newest();
  await field().fill("Say it together");
  await page.keyboard.press("Enter");
  await feed().getByText("Together: the tale.").waitFor();
  await lane("tale.json done").waitFor();
  await lane("elm.json running", 1).waitFor();
  await page.getByText("2 running").waitFor();
  await checkPage(page);
  const now = await newest();
  expect(now.status).toBe("running");
  expect(now.messageCount).toBe(before.messageCount + 2);
});

it("shows the answer of the one that is looked at as it is written, and stops it alone", async () => {
  await lane("elm.json", 0).click();
  await feed().getByText("elm 9,").waitFor();
  await expect.poll(() => feed().getByText("Together: the tale.").count()).toBe(0);
  await lane("elm.json", 0).and(page.locator("[aria-pressed=true]")).waitFor();
  await checkPage(page);
  // What is said to a run cites what it quotes, too: it comes back with the words that were not heard.
  await said("Oak is slow").first().focus();
  await page.keyboard.press("Shift+Q");
  await composer().getByText("Quotes").waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => composer().getByText("Quotes").count()).toBe(0);
  await page.keyboard.press("Control+.");
  await lane("elm.json interrupted").waitFor();
  await expect.poll(() => field().inputValue()).toContain("> Oak is slow and strong.");
  await composer().getByRole("button", { name: "Go to passage 1" }).waitFor();
  await field().fill("");
  await lane("elm.json running").waitFor();
  await feed().getByText("elm 9,").waitFor();
  // It continues alone, and the others do not change.
  const stopped = page.getByRole("region", { name: "Stopped by you" });
  await stopped.getByText("elm.json").waitFor();
  await checkPage(page);
  await stopped.getByRole("button", { name: "Continue" }).click();
  await expect
    .poll(() => lanes().getByRole("button", { name: "elm.json running" }).count())
    .toBe(2);
  await feed().getByText("elm 9,").last().waitFor();
  await expect.poll(() => lanes().getByRole("button").count()).toBe(4); // and "Stop all"
  await page.keyboard.press("Control+Alt+.");
  await expect.poll(() => lanes().getByRole("button", { name: "interrupted" }).count()).toBe(2);
  await expect.poll(async () => (await newest()).status).toBe("success");
});

it("keeps each answer as an alternative, and compares two by a click", async () => {
  await lane("tale.json").click();
  await feed().getByText("Together: the tale.").waitFor();
  await feed().getByRole("button", { name: "Alternative 1 of 3" }).waitFor();
  await lanes().getByRole("button", { name: "Compare" }).click();
  await expect.poll(() => feed().count()).toBe(0);
  await page.getByText("Together: the tale.").first().waitFor();
  await checkPage(page);
});

const turns = () => page.getByRole("treegrid", { name: "Turns" });

it("edits a prompt and regenerates an answer from the outline's menu", async () => {
  await page.keyboard.press("Escape");
  const before = (await newest()).messageCount;
  await turns().getByRole("row").filter({ hasText: "Which woods" }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Edit and resend…" }).click();
  await expect.poll(() => field().inputValue()).toBe("Which woods are there?");
  await page.keyboard.press("End");
  await page.keyboard.type(" Be brief.");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await newest()).messageCount).toBe(before + 2);
  await idle();
  expect((await saying("Be brief.")).parentUid ?? "").toBe("");
});
