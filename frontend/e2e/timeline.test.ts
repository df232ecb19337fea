// The timeline of a session that hardly branches, on the real bindings.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { mailSession, openSession, withSamples } from "./samples";

const title = "a long chain";
const turns = 200;
const minuteMs = 60_000;

/** A session without branches: a prompt and two answers in each turn, and a night in the middle. */
function linearSession(): string {
  const messages = Array.from({ length: 3 * turns }, (_, at) => {
    const turn = Math.floor(at / 3);
    const night = turn >= turns / 2 ? 600 * minuteMs : 0;
    const role = at % 3 === 0 ? "user" : "assistant";
    return {
      uid: `chain-${at}`,
      parentUid: at === 0 ? "" : `chain-${at - 1}`,
      kind: "message",
      role,
      createdAtMs: 1_790_000_000_000 + turn * 5 * minuteMs + (at % 3) * 30_000 + night,
      parts: [{ type: "text", text: `${role === "user" ? "Prompt" : "Answer"} number ${turn}.` }],
    };
  });
  const session = { sourceId: title, title, headUid: `chain-${3 * turns - 1}` };
  return JSON.stringify({ format: "coppice.session", version: 1, session, messages });
}

let program: Program;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  program = await startProgram(async (prepared) => {
    await withSamples(prepared);
    const file = join(prepared.home, "chain.json");
    await writeFile(file, linearSession());
    await prepared.cli("import", file);
  });
  browser = await openBrowser({ width: 1440, height: 900 });
  page = await openPage(browser, program.url);
  page.setDefaultTimeout(15_000);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const pane = () => page.getByRole("complementary", { name: "Tree" });
const feed = () => page.getByRole("feed", { name: "Messages" });
const timeline = () => page.getByRole("listbox", { name: "Timeline of the path" });
const bars = () => timeline().getByRole("option");
const selected = () => timeline().locator("[aria-selected=true]");
const place = async () => Number(await selected().getAttribute("aria-posinset"));
const map = () => page.getByRole("application", { name: "Map of the tree" });

it("shows a session that hardly branches, with a bar for each turn in sight", async () => {
  await openSession(page, title);
  await page.getByRole("tab", { name: "Map" }).click();
  await bars().first().waitFor();
  // Only what is in sight is drawn.
  expect(await bars().count()).toBeLessThan(turns / 2);
  await pane().getByText(`${turns} turns · worked 3 h 20 min`).waitFor();
  await checkPage(page);
});

it("is walked by keys, and shows turns in the transcript", async () => {
  await timeline().focus();
  await page.keyboard.press("Home");
  await expect.poll(place).toBe(1);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("PageDown");
  await expect.poll(place).toBe(12);
  expect(await selected().getAttribute("aria-label")).toMatch(
    /^Prompt number 11\., 1 min, 2 steps, /,
  );
  await page.keyboard.press("Enter");
  await feed().getByText("Prompt number 11.").first().waitFor();
  await page.keyboard.press("End");
  await expect.poll(place).toBe(turns);
});

it("shows a turn that is clicked, and previews the one under the pointer", async () => {
  await page.keyboard.press("Home");
  await bars().nth(2).click();
  await expect.poll(place).toBe(3);
  await bars().nth(4).hover();
  const card = page.locator(".line-clamp-8").last();
  await card.waitFor();
  expect(await card.textContent()).toMatch(/\w/);
  await page.mouse.move(400, 400);
  await expect.poll(() => card.count()).toBe(0);
});

it("shows a night as a break with its length", async () => {
  await timeline().focus();
  await page.keyboard.press("Home");
  for (let at = 0; at < 10; at++) await page.keyboard.press("PageDown");
  await expect.poll(place).toBe(turns / 2 + 1);
  await timeline().locator("[data-break]").getByText("10 h").waitFor();
});

it("grows right in the whole window, and zooms", async () => {
  await page.keyboard.press("Control+4");
  await expect.poll(() => timeline().getAttribute("aria-orientation")).toBe("horizontal");
  await timeline().focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect.poll(place).toBe(2);
  const width = async () => (await selected().boundingBox())?.width ?? 0;
  const before = await width();
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await expect.poll(width).toBeGreaterThan(before);
  await page.keyboard.press("0");
  await expect.poll(width).toBe(before);
  await page.keyboard.press("Control+4");
});

it("gives way to the map and comes back, and is offered for every session", async () => {
  await timeline().focus();
  await page.keyboard.press("t");
  await map().waitFor();
  await map().focus();
  await page.keyboard.press("t");
  await timeline().waitFor();
  // A session with branches opens as a map; its timeline is the path, which marks where others leave it.
  await openSession(page, mailSession);
  await map().waitFor();
  await page.getByRole("button", { name: "Show as timeline" }).click();
  await timeline().waitFor();
  expect(await bars().count()).toBeGreaterThan(2);
  expect(await timeline().locator("[data-mark=fork]").count()).toBeGreaterThan(0);
});
