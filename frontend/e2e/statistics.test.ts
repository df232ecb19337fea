import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { withSamples } from "./samples";

interface Sums {
  total: { sessions: number; steps: number };
  days: { key: string }[];
  models: { key: string; sessions: number }[];
}

let program: Program;
let browser: BrowserContext;
let page: Page;
let sums: Sums;

beforeAll(async () => {
  program = await startProgram(withSamples);
  browser = await openBrowser();
  page = await openPage(browser, program.url);
  sums = JSON.parse(await program.cli("stats", "--json"));
  await page.getByRole("option").first().waitFor();
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const statistics = () => page.getByRole("region", { name: "Statistics" });
/** A sum at the top of the page. */
const sum = (name: string) =>
  statistics()
    .locator("dl > div")
    .filter({ has: page.locator("dt").getByText(name, { exact: true }) })
    .locator("dd > span")
    .first();

it("opens by its key and shows what the command line prints", async () => {
  await page.keyboard.press("Control+Shift+S");
  await statistics().getByRole("button", { name: "All", exact: true }).click();
  await expect.poll(() => sum("Sessions").innerText()).toBe(String(sums.total.sessions));
  expect(await sum("Model calls").innerText()).toBe(String(sums.total.steps));
  const models = statistics().getByRole("region", { name: "Models" });
  expect(await models.getByRole("row").count()).toBe(Math.min(8, sums.models.length) + 1);
  await checkPage(page);
});

it("shows its days as a table, and one day of the calendar", async () => {
  await statistics().getByRole("button", { name: "Show as table" }).click();
  const table = statistics().getByRole("region", { name: "Days as a table" });
  expect(await table.getByRole("row").count()).toBe(sums.days.length + 1);
  await checkPage(page);
  await statistics().getByRole("button", { name: "Show as bars" }).click();
  const calendar = statistics().getByRole("application", { name: /^Calendar/ });
  await calendar.focus();
  const today = new Date().toISOString().slice(0, 10);
  const newest = sums.days.filter(({ key }) => key <= today).at(-1)?.key ?? today;
  const back = Math.round((Date.parse(today) - Date.parse(newest)) / 86_400_000);
  for (let step = 0; step <= back; step++) await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  const ofDay: Sums = JSON.parse(
    await program.cli("stats", "--json", "--since", newest, "--until", newest),
  );
  await expect.poll(() => sum("Sessions").innerText()).toBe(String(ofDay.total.sessions));
  await statistics().locator("[title='Back to the days around it']").click();
});

it("is filtered by a click on a model", async () => {
  const [first] = sums.models.filter(({ key }) => key !== "");
  const button = statistics().getByRole("button", {
    name: first?.key,
    exact: true,
    pressed: false,
  });
  await button.first().click();
  await expect.poll(() => sum("Sessions").innerText()).toBe(String(first?.sessions));
  await statistics()
    .getByRole("button", { name: first?.key, exact: true, pressed: true })
    .first()
    .click();
  await expect.poll(() => sum("Sessions").innerText()).toBe(String(sums.total.sessions));
});

it("writes the CSV that the command line prints", async () => {
  const path = join(program.home, "models.csv");
  await statistics().getByRole("button", { name: "Export CSV" }).click();
  await page.getByRole("menuitem", { name: "Models" }).click();
  await program.answerDialog("Export statistics", path);
  await page.getByText("Exported to models.csv").waitFor();
  expect(await readFile(path, "utf8")).toBe(await program.cli("stats", "--csv", "--by", "model"));
});

it("keeps to the theme, to twice the size, and gives the window back", async () => {
  await page.keyboard.press("Control+k");
  await page.keyboard.type(">dark theme");
  await page.getByRole("option", { name: /dark theme/i }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
  await checkPage(page);
  await page.evaluate(() => {
    document.documentElement.style.zoom = "2";
  });
  const overflows = await statistics().evaluate((page) => page.scrollWidth > page.clientWidth);
  expect(overflows).toBe(false);
  await page.evaluate(() => {
    document.documentElement.style.zoom = "";
  });
  await statistics().getByRole("button", { name: "Close the statistics" }).click();
  await expect.poll(() => statistics().count()).toBe(0);
  await page.getByRole("option").first().click();
  await page.getByRole("feed", { name: "Messages" }).waitFor();
});

it("gives way to the session that is open already, found by Ctrl+K", async () => {
  const title = await page.getByRole("heading", { level: 2 }).first().innerText();
  await page.keyboard.press("Control+Shift+S");
  await statistics().waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type(title);
  await page.getByRole("dialog").getByRole("option", { name: title }).first().waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => statistics().count()).toBe(0);
  await page.getByRole("feed", { name: "Messages" }).waitFor();
});

it("lists the sessions behind a day, and the list can be widened again", async () => {
  await page.keyboard.press("Control+Shift+S");
  const calendar = statistics().getByRole("application", { name: /^Calendar/ });
  await calendar.focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await statistics().getByRole("button", { name: "Show sessions" }).click();
  await expect.poll(() => statistics().count()).toBe(0);
  const chip = page
    .getByRole("search", { name: "Filters of the library" })
    .getByRole("button", { name: /\d{4}$/ });
  await chip.waitFor();
  await checkPage(page);
  await chip.click();
  await expect.poll(() => chip.count()).toBe(0);
});
