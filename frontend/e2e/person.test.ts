// The user during a run: several at once, queued messages, a pause after each answer, a budget, and
// sessions that came from elsewhere.

import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, closeFloating, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { openSession, withSamples } from "./samples";
import { useScript } from "./scripts";

let program: Program;
let browser: BrowserContext;
let page: Page;

const words = (word: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${word} ${at + 1}`).join(", ");

beforeAll(async () => {
  program = await startProgram(async (prepared) => {
    await useScript(prepared, {
      contextTokens: 100_000,
      tokensPerSecond: 100,
      turns: [
        { match: "first slow", alternatives: [[{ text: words("alder", 4000) }]] },
        { match: "second slow", alternatives: [[{ text: words("birch", 4000) }]] },
        {
          match: "list the files",
          alternatives: [
            [
              { text: words("step", 120), toolCalls: [{ name: "list_files", arguments: {} }] },
              { text: "Nothing is there." },
            ],
          ],
        },
        { match: "hidden ones", alternatives: [[{ text: "Nothing is hidden." }]] },
        { match: "(?i)one more", alternatives: [[{ text: "Here is another." }]] },
        {
          match: "pause",
          alternatives: [[{ text: "Here is one." }]],
        },
        {
          match: "costly",
          alternatives: [
            [
              {
                text: "Dear.",
                costNanoUsd: 400_000_000,
                toolCalls: [{ name: "list_files", arguments: {} }],
              },
              { text: "Dearer.", costNanoUsd: 100_000_000 },
            ],
          ],
        },
        { match: "go on here", alternatives: [[{ text: "It goes on." }]] },
      ],
    });
    await withSamples(prepared);
  });
  browser = await openBrowser({ width: 1440, height: 900 });
  page = await openPage(browser, program.url);
  await field().waitFor();
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const feed = () => page.getByRole("feed", { name: "Messages" });
const field = () => page.getByRole("region", { name: "Composer" }).getByRole("textbox");
const row = (title: string) => page.getByRole("option").filter({ hasText: title });
const newSession = async () => {
  await page.keyboard.press("Control+n");
  await expect.poll(() => field().getAttribute("aria-label")).toBe("The task of a new session");
};
const begin = async (text: string) => {
  await newSession();
  await field().fill(text);
  await page.keyboard.press("Enter");
  await feed().getByText(text).first().waitFor();
};

it("runs two sessions at once, and comes back to each where it is", async () => {
  await begin("The first slow one");
  await feed().getByText("alder 20,").waitFor();
  await begin("The second slow one");
  await feed().getByText("birch 20,").waitFor();
  await expect.poll(() => page.getByRole("option").filter({ hasText: "running" }).count()).toBe(2);
  await row("The first slow one").click();
  await feed().getByText("alder 60,").waitFor();
  expect(await feed().getByText("birch").count()).toBe(0);
  await checkPage(page);
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("Stopped by you").waitFor();
  await expect.poll(() => row("The second slow one").getByText("running").count()).toBe(1);
  await openSession(page, "The second slow one");
  await page.keyboard.press("Control+.");
  await page.getByText("Stopped by you").waitFor();
});

it("queues messages, shows them, and sends them to the model", async () => {
  await begin("Please list the files");
  await feed().getByText("step 5,").waitFor();
  await field().fill("and mind the hidden ones");
  await page.keyboard.press("Enter");
  await feed().getByText("queued, sent after this step").waitFor();
  await checkPage(page);
  await feed().getByText("Nothing is hidden.").waitFor();
  await expect.poll(() => feed().getByText("queued").count()).toBe(0);
  await feed()
    .getByRole("article", { name: /^You/ })
    .filter({ hasText: "mind the hidden" })
    .waitFor();
});

it("returns messages that no model received", async () => {
  await begin("The first slow one again");
  await feed().getByText("alder 5,").waitFor();
  await field().fill("this comes too late");
  await page.keyboard.press("Enter");
  await feed().getByText("queued, sent after this step").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("Stopped by you").waitFor();
  await expect.poll(() => field().inputValue()).toBe("this comes too late");
  await page.getByText("its text is in the field again").waitFor();
  expect(await feed().getByText("this comes too late").count()).toBe(0);
  await field().fill("");
});

it("waits after each answer where it is asked to, and stops there", async () => {
  await newSession();
  await page.getByRole("button", { name: /^Limits/ }).click();
  await page.getByLabel("Pause after each answer").check();
  await checkPage(page);
  await closeFloating(page);
  await field().fill("A pause, please");
  await page.keyboard.press("Enter");
  const card = page.getByRole("alertdialog");
  await card.getByText("waits for you").waitFor();
  await card.getByLabel(/Add a message/).fill("one more");
  await checkPage(page);
  await page.keyboard.press("Enter");
  await feed().getByText("one more").waitFor();
  await feed().getByText("Here is another.").waitFor();
  await card.waitFor();
  await card.getByRole("button", { name: "Stop here" }).click();
  await page.getByText("Stopped by you after an answer").waitFor();
  await page.getByRole("button", { name: /^Limits/ }).click();
  await page.getByLabel("Pause after each answer").uncheck();
  await closeFloating(page);
});

it("stops at its budget, and continues with a larger one", async () => {
  await newSession();
  await page.getByRole("button", { name: /^Limits/ }).click();
  await page.getByLabel("Pause after each answer").uncheck();
  await page.getByLabel("Budget in dollars").fill("0.2");
  await closeFloating(page);
  await field().fill("Something costly");
  await page.keyboard.press("Enter");
  await page.getByText("Stopped at the budget").waitFor();
  await page.getByText("$0.40").first().waitFor();
  const raised = page.getByLabel("New budget in dollars");
  expect(await raised.inputValue()).toBe("0.4");
  await raised.fill("2");
  await checkPage(page);
  await page.getByRole("button", { name: "Continue" }).click();
  await feed().getByText("Dearer.").waitFor();
  await page.getByRole("button", { name: /cost by model/ }).click();
  await page.getByRole("table").getByText("$0.50").waitFor();
  await checkPage(page);
  await page.keyboard.press("Escape");
});

it("sends an image that is pasted, once", async () => {
  await begin("A pause for a picture");
  await page.getByRole("button", { name: "Send", exact: true }).waitFor();
  await field().focus();
  const paste = () =>
    field().evaluate(async (element) => {
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = 40;
      canvas.getContext("2d")?.fillRect(0, 0, 20, 20);
      const picture = await new Promise<Blob | null>((done) => canvas.toBlob(done));
      const clipboardData = new DataTransfer();
      if (picture)
        clipboardData.items.add(new File([picture], "square.png", { type: picture.type }));
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    });
  await paste();
  await page.getByRole("list", { name: "Images" }).getByRole("img").waitFor();
  await paste();
  await page.waitForTimeout(200);
  expect(await page.getByRole("list", { name: "Images" }).getByRole("img").count()).toBe(1);
  await field().fill("One more, like this one");
  await checkPage(page);
  await page.keyboard.press("Enter");
  await feed().getByText("Here is another.").waitFor();
  await feed()
    .getByRole("img", { name: /square/ })
    .waitFor();
  expect(await page.getByRole("list", { name: "Images" }).count()).toBe(0);
});

it("continues a session that came from elsewhere", async () => {
  await openSession(page, "A parser for recipes");
  await feed().getByRole("article").first().waitFor();
  await field().fill("Now go on here");
  await page.keyboard.press("Enter");
  await feed().getByText("It goes on.").waitFor();
  await checkPage(page);
});
