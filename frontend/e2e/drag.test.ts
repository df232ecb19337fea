// Turns that are dragged, on the real bindings: onto turns, sessions and the composer, and pulled at their edge.

import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { boxOf } from "./picture";
import { listSessions, mailSession, turnRow, viewTurn, withOpenSession } from "./samples";

const it = withOpenSession(mailSession, { width: 1440, height: 900 });

const ghost = (page: Page) => page.locator("[data-drag-ghost]");
const composer = (page: Page) => page.getByRole("textbox", { name: "Message" });
const toast = (page: Page, text: RegExp) => page.locator("li").filter({ hasText: text });
const middle = async (of: Locator) => {
  const box = await of.boundingBox();
  if (!box) throw new Error("nothing to drag");
  return { x: box.x + Math.min(box.width / 2, 120), y: box.y + box.height / 2 };
};
/** Takes an element to another one and holds it there. */
const drag = async (page: Page, from: Locator, to: Locator) => {
  const [start, end] = [await middle(from), await middle(to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x + 12, start.y + 2);
  await page.mouse.move(end.x, end.y, { steps: 5 });
  await ghost(page).waitFor();
};
const messages = async (program: Parameters<typeof listSessions>[0], title: string) =>
  (await listSessions(program)).get(title)?.messageCount ?? 0;
const other = "Upgrade harbour to Go 1.26 and drop the old router";

it("copies a branch below the turn that it is dropped on, and undo leaves no trace", async ({
  page,
  program,
}) => {
  const before = await messages(program, mailSession);
  const names = () => page.getByRole("treegrid", { name: "Turns" }).getByRole("row").count();
  const rows = await names();
  await drag(page, turnRow(page, "n11"), turnRow(page, "n4"));
  await ghost(page).getByText("Copy below").waitFor();
  await page.mouse.up();
  const copied = toast(page, /Copied .* below/);
  await copied.waitFor();
  expect(await messages(program, mailSession)).toBeGreaterThan(before);
  await copied.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => messages(program, mailSession)).toBe(before);
  await expect.poll(names).toBe(rows);
});

it("does nothing when Escape is pressed, or where nothing takes it", async ({ page, program }) => {
  const before = await messages(program, mailSession);
  await drag(page, turnRow(page, "n11"), turnRow(page, "n4"));
  await page.keyboard.press("Escape");
  await expect.poll(() => ghost(page).count()).toBe(0);
  await page.mouse.up();
  await drag(page, turnRow(page, "n11"), page.getByRole("heading", { level: 2 }).first());
  await ghost(page).getByText("Drop on a turn").waitFor();
  await page.mouse.up();
  await expect.poll(() => ghost(page).count()).toBe(0);
  expect(await messages(program, mailSession)).toBe(before);
});

it("copies a branch into the session that it is dropped on", async ({ page, program }) => {
  const before = await messages(program, other);
  const row = page.getByRole("option").filter({ hasText: other });
  await drag(page, turnRow(page, "n11"), row);
  await ghost(page).getByText("Copy into this session").waitFor();
  await page.mouse.up();
  const copied = toast(page, /Copied .* into/);
  await copied.waitFor();
  expect(await messages(program, other)).toBeGreaterThan(before);
  await copied.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => messages(program, other)).toBe(before);
});

it("quotes a turn that is dropped on the composer, and with Q", async ({ page }) => {
  await drag(page, turnRow(page, "n11"), page.locator("[data-composer]")); // one quiet line without a model
  await ghost(page).getByText("Quote in the composer").waitFor();
  await page.mouse.up();
  await expect.poll(() => composer(page).inputValue()).toMatch(/^> /);
  await composer(page).fill("");
  await turnRow(page, "n4").click();
  await page.keyboard.press("q");
  await expect.poll(() => composer(page).inputValue()).toMatch(/^> /);
});

it("compares siblings, by a drop and by keys", async ({ page }) => {
  const sides = () => page.getByRole("region", { name: /The (left|right) branch/ });
  await drag(page, turnRow(page, "n5"), turnRow(page, "n7"));
  await ghost(page).getByText("Compare with").waitFor();
  await page.mouse.up();
  await sides().nth(1).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => sides().count()).toBe(0);
  for (const turn of ["n5", "n7"]) {
    await viewTurn(page, turn);
    await page.keyboard.press("Space");
  }
  await page.keyboard.press("d");
  await sides().nth(1).waitFor();
});

it("branches where a turn of the map is pulled, with the cursor in the composer", async ({
  page,
  program,
  session,
}) => {
  await turnRow(page, "n4").click();
  await page.getByRole("tab", { name: "Map" }).click();
  const map = page.getByRole("application", { name: "Map of the tree" });
  await map.focus();
  await page.keyboard.press("Home");
  await page.waitForTimeout(400);
  const found = await gripOf(page, map);
  await page.mouse.move(found.x, found.y);
  await page.mouse.down();
  await page.mouse.move(found.x + 20, found.y + 30, { steps: 3 });
  await ghost(page).getByText("Branch from here").waitFor();
  await page.mouse.up();
  await expect
    .poll(() => composer(page).evaluate((at) => at === document.activeElement))
    .toBe(true);
  await expect
    .poll(async () => (await listSessions(program)).get(mailSession)?.headUid)
    .not.toBe(session.headUid);
});

it("uncovers the library when a turn of the full map is dragged to its edge", async ({
  page,
  program,
}) => {
  const before = await messages(program, other);
  await page.keyboard.press("Control+4");
  const map = page.getByRole("application", { name: "Map of the tree" });
  await map.focus();
  await page.keyboard.press("Home");
  await page.waitForTimeout(400);
  const { x, y } = await gripOf(page, map);
  await page.mouse.move(x + 30, y - 14);
  await page.mouse.down();
  await page.mouse.move(x + 44, y - 10);
  await page.mouse.move(10, y, { steps: 4 });
  const row = await middle(page.getByRole("option").filter({ hasText: other }));
  await page.mouse.move(row.x, row.y, { steps: 3 });
  await ghost(page).getByText("Copy into this session").waitFor();
  await page.mouse.up();
  await toast(page, /Copied .* into/).waitFor();
  expect(await messages(program, other)).toBeGreaterThan(before);
});

/** The edge of a turn of the path that a branch is pulled from: where the pointer has the shape for it. */
async function gripOf(page: Page, map: Locator): Promise<{ x: number; y: number }> {
  const canvas = map.locator("canvas");
  const place = await canvas.boundingBox();
  if (!place) throw new Error("there is no map");
  const path = await boxOf(canvas, "--accent");
  for (let down = path.top; down < path.bottom; down += 4)
    for (const right of [1, 4, 10]) {
      const [x, y] = [place.x + path.left + right, place.y + down];
      await page.mouse.move(x, y);
      if ((await map.evaluate((element) => element.style.cursor)) === "copy") return { x, y };
    }
  throw new Error("nothing to pull on the map");
}
