// The map of a tree on the real bindings. It is a picture: what it shows is read from its pixels.

import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { writeSession } from "./large-session";
import { boxOf, frames, pointsOf } from "./picture";
import { type Program, startProgram } from "./program";
import { listSessions, mailSession, openSession, turnRow, viewTurn, withSamples } from "./samples";
import { useScript } from "./scripts";

const agent = "agent of 3000";

let program: Program;
let browser: BrowserContext;
let page: Page;
let mailId: string;

beforeAll(async () => {
  program = await startProgram(async (prepared) => {
    await withSamples(prepared);
    await useScript(prepared, { turns: [{ alternatives: [[{ text: "Answered once more." }]] }] });
    const file = join(prepared.home, "agent.json");
    await writeSession(file, 3000);
    await prepared.cli("import", file);
  });
  browser = await openBrowser({ width: 1440, height: 900 });
  page = await openPage(browser, program.url);
  page.setDefaultTimeout(15_000);
  mailId = (await listSessions(program)).get(mailSession)?.id ?? "";
  await openSession(page, mailSession);
  await page.getByRole("tab", { name: "Map" }).click();
  await canvas().waitFor();
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const pane = () => page.getByRole("complementary", { name: "Tree" });
const feed = () => page.getByRole("feed", { name: "Messages" });
const map = () => page.getByRole("application", { name: "Map of the tree" });
const canvas = () => pane().locator("canvas").first();
const minimap = () => pane().locator("canvas").nth(1);
const details = () => pane().getByLabel("Selected turn");
/** The id of the selected turn, and whether its size is shown as this. */
const selection = async (size: string) => [
  await details().getAttribute("data-node"),
  (await details().textContent())?.includes(`· ${size}`),
];
const press = async (...keys: string[]) => {
  await map().focus();
  for (const key of keys) await page.keyboard.press(key);
};
const button = (name: string) => page.getByRole("button", { name });
const path = () => boxOf(canvas(), "--accent");
/** The part of the tree that the minimap frames. */
const framed = () => boxOf(minimap(), "--border-strong");
/** Waits until nothing moves: what was requested a moment ago begins to move in the next frame, and is drawn in the one after it. */
const still = async <Part>(read: () => Promise<Part>): Promise<Part> => {
  let before = "";
  await expect
    .poll(async () => {
      const was = before;
      await page.evaluate(async () => {
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      });
      before = JSON.stringify(await read());
      return was === before;
    })
    .toBe(true);
  return JSON.parse(before);
};

it("draws the path on screen in the accent, and another one when that is viewed", async () => {
  await press("Home", "0");
  const long = await still(path);
  expect(long.bottom - long.top).toBeGreaterThan(100);
  const drawn = () => pointsOf(canvas(), "--accent");
  const all = await drawn();
  await page.getByRole("tab", { name: "Outline" }).click();
  await turnRow(page, "n11").click();
  await feed().getByText("Same problem, but plan it").waitFor();
  await page.getByRole("tab", { name: "Map" }).click();
  await press("0");
  const short = await still(path);
  // Nothing moves: the path is where that branch was before.
  expect(short).not.toEqual(long);
  // The head stays marked where it is.
  expect(await drawn()).toBeLessThan(all / 2);
});

it("previews the turn under the pointer, and no longer when that is gone", async () => {
  await press("0");
  const box = await still(path);
  const place = await canvas().boundingBox();
  if (!place) throw new Error("there is no map");
  // The path begins in the middle of its first turn.
  await page.mouse.move(place.x + box.left + 1, place.y + box.top + 2);
  const card = page.locator(".line-clamp-8").last();
  await card.waitFor();
  expect(await card.textContent()).toMatch(/^Same problem/);
  await page.mouse.move(400, 400);
  await expect.poll(() => card.count()).toBe(0);
});

it("regenerates a turn from its menu", async () => {
  const count = async () =>
    JSON.parse(await program.cli("sessions", "--json")).find(
      ({ id }: { id: string }) => id === mailId,
    ).messageCount;
  const before = await count();
  await page.getByRole("tab", { name: "Outline" }).click();
  await turnRow(page, "n4").click();
  await feed().getByText("What happens to a mail when the process").waitFor();
  await page.getByRole("tab", { name: "Map" }).click();
  await press("Home");
  await expect.poll(() => details().getAttribute("data-node")).toBe("n4");
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Regenerate", exact: true }).click();
  await feed().getByText("Answered once more.").waitFor();
  await expect.poll(count).toBe(before + 1);
  await feed()
    .getByRole("button", { name: /^Alternative 2 of 2/ })
    .waitFor();
});

it("is the same tree as the outline, in step with the transcript, by keys", async () => {
  await page.getByRole("tab", { name: "Outline" }).click();
  await viewTurn(page, "n10");
  await page.getByRole("tab", { name: "Map" }).click();
  await press("Home", "ArrowUp");
  await expect.poll(() => selection("6 messages")).toEqual(["n8", true]);
  // The fork is below the prompt, which has two answers.
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => selection("1 message")).toEqual(["n8", true]);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => selection("1 message")).toEqual(["n9", true]);
  await page.keyboard.press("Enter");
  await feed().getByText("Before I write it: one wor").waitFor();
  await page.getByRole("tab", { name: "Outline" }).click();
  expect(await pane().locator("[data-turn][aria-selected=true]").getAttribute("data-node")).toBe(
    "n9",
  );
});

it("shows more or less of a large tree, and lets it grow down or right", async () => {
  await openSession(page, agent);
  await page.getByRole("tab", { name: "Map" }).click();
  await press("Home");
  await still(framed);
  const near = await framed();
  await button("Zoom in").click();
  const nearer = await still(framed);
  const long = ({ top, bottom, left, right }: typeof near) => Math.max(bottom - top, right - left);
  expect(long(nearer)).toBeLessThanOrEqual(long(near));
  await button("Zoom to fit").click();
  const picture = () => canvas().evaluate((element: HTMLCanvasElement) => element.toDataURL());
  const right = await still(picture);
  await button("Flip map direction").click();
  await press("0");
  expect(await still(picture)).not.toBe(right);
  await button("Flip map direction").click();
  await checkPage(page);
});

it("has a minimap that frames what is in sight, goes where it is clicked, and shows what was found", async () => {
  await press("Home");
  const size = await minimap().boundingBox();
  if (!size) throw new Error("there is no minimap");
  const lies = size.width > size.height;
  await minimap().click({ position: { x: 6, y: 6 } });
  const first = await still(framed);
  await minimap().click({ position: { x: size.width - 6, y: size.height - 6 } });
  const last = await still(framed);
  expect(lies ? last.left : last.top).toBeGreaterThan(lies ? first.left : first.top);
  const marks = () => pointsOf(minimap(), "--tool");
  expect(await marks()).toBe(0);
  await button("Find in tree").click();
  await page.keyboard.type("answer 15");
  await expect.poll(marks).toBeGreaterThan(3);
  await page.keyboard.press("Escape");
  await expect.poll(marks).toBe(0);
});

it("glides to where it goes, and is there at once where motion is unwanted", async () => {
  await press("Home", "+", "+", "+");
  await still(path);
  const gliding = await frames(map(), canvas(), "0");
  expect(new Set(gliding).size).toBeGreaterThan(2);
  await press("+", "+", "+");
  await still(path);
  await page.emulateMedia({ reducedMotion: "reduce" });
  const [before, ...after] = await frames(map(), canvas(), "0");
  expect(new Set(after).size).toBe(1);
  expect(after[0]).not.toBe(before);
  await page.emulateMedia({ reducedMotion: "no-preference" });
});
