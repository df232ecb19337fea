import type { Page } from "playwright-core";
import { expect } from "vitest";
import { checkPage } from "./browser";
import type { Program } from "./program";
import {
  type ListedSession,
  listSessions,
  mailSession,
  openSession,
  turnRow,
  viewTurn,
  withOpenSession,
} from "./samples";

// Every test has a program and a library of its own, with the same session open.
const it = withOpenSession(mailSession, { width: 1440, height: 900 });

const turnsOf = (page: Page) => page.getByRole("treegrid", { name: "Turns" }).getByRole("row");
const turnOf = turnRow;
const trashOf = (page: Page) => page.getByRole("region", { name: "Trash of the session" });

/** The session as the command line lists it. */
async function listed(program: Program, { id }: ListedSession) {
  return JSON.parse(await program.cli("sessions", "--json")).find(
    (one: { id: string }) => one.id === id,
  );
}

/** Opens the menu of a turn and chooses from it, and from the menus within it. */
async function choose(page: Page, text: string, ...titles: (string | RegExp)[]) {
  await turnOf(page, text).click({ button: "right" });
  // By keys: the lines of a menu within a menu come and go with the pointer.
  for (const title of titles) {
    await page.getByRole("menuitem", { name: title }).focus();
    await page.keyboard.press("Enter");
  }
}

it("bookmarks a turn by B, colors a label and marks the main path", async ({
  page,
  program,
  session,
}) => {
  await viewTurn(page, "dead end");
  await page.keyboard.press("b");
  await expect
    .poll(() => turnOf(page, "dead end").getAttribute("aria-label"))
    .toContain("bookmarked");
  await choose(page, "dead end", "Color of label");
  await page.getByRole("menuitemcheckbox", { name: "Amber" }).focus();
  await page.keyboard.press("Enter");
  await choose(page, "dead end", "Mark path as main");
  await expect.poll(async () => (await listed(program, session)).mainUid).toBeTruthy();
  await checkPage(page);
  await page.keyboard.press("b");
  await expect
    .poll(() => turnOf(page, "dead end").getAttribute("aria-label"))
    .not.toContain("bookmarked");
});

it("puts a branch into the trash by Delete, shows how much, and restores it", async ({
  page,
  program,
  session,
}) => {
  await viewTurn(page, "n5");
  await page.keyboard.press("Delete");
  await page.getByText("Moved 2 messages in 1 turn to trash").waitFor();
  await expect.poll(() => turnOf(page, "n5").count()).toBe(0);
  expect((await listed(program, session)).hiddenCount).toBe(2);
  expect(
    await program.cli("export", session.id, "--format", "md", "--scope", "tree"),
  ).not.toContain("n5");
  await page.getByRole("button", { name: "Undo" }).click();
  await turnOf(page, "n5").waitFor();
  await expect.poll(async () => (await listed(program, session)).hiddenCount ?? 0).toBe(0);
});

it("marks several turns by Space and Shift, and puts them into the trash at once", async ({
  page,
  program,
  session,
}) => {
  await viewTurn(page, "n5");
  await page.keyboard.press("Space");
  await turnOf(page, "n7").click({ modifiers: ["Control"] });
  await page.getByRole("toolbar", { name: "Marked turns" }).getByText("2 turns marked").waitFor();
  await checkPage(page);
  await page.keyboard.press("Delete");
  await expect.poll(() => turnOf(page, "n7").count()).toBe(0);
  expect((await listed(program, session)).hiddenCount).toBe(4);
  // What was said before a dialog opened does not lie over it.
  const said = page.getByText(/4 messages in 2 turns to trash/);
  await said.waitFor();
  await page.keyboard.press("Control+/");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await sheet.waitFor();
  const isOnTop = said.evaluate((toast) => {
    const { x, y, width, height } = toast.getBoundingClientRect();
    const lies = toast.closest("li");
    // A dialog takes the pointer from what is beside it.
    lies?.style.setProperty("pointer-events", "auto");
    return lies?.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
  expect(await isOnTop).toBe(false);
  await page.keyboard.press("Escape");
  await expect.poll(() => sheet.count()).toBe(0);
});

it("shows the trash among the rest, restores from it, and keeps only a path", async ({
  page,
  program,
  session,
}) => {
  await program.cli("hide", session.id, "n5", "n7");
  const trash = trashOf(page);
  await trash.getByText("2 turns in the trash").waitFor();
  await trash.getByRole("button", { name: "Show" }).click();
  await choose(page, "n7", "Restore turn");
  await trash.getByText("1 turn in the trash").waitFor();
  await trash.getByRole("button", { name: "Restore all" }).click();
  await expect.poll(() => trash.count()).toBe(0);
  await choose(page, "n10", "Keep only this path");
  await page.getByText(/messages in \d+ turns to trash/).waitFor();
  await trash.getByRole("button", { name: "Hide" }).click();
  await expect.poll(() => turnOf(page, "dead end").count()).toBe(0);
  await turnOf(page, "n10").waitFor();
  await page.keyboard.press("Control+z");
  await turnOf(page, "dead end").waitFor();
  await checkPage(page);
});

it("hides the alternatives of a turn, and shows how much is hidden", async ({
  page,
  program,
  session,
}) => {
  const { headUid } = await listed(program, session);
  await choose(page, "dead end", "Move alternatives to trash");
  await page.getByText("Moved 37 messages in 7 turns to trash").waitFor();
  await expect.poll(() => turnOf(page, "n10").count()).toBe(0);
  await turnOf(page, "dead end").waitFor();
  await page.keyboard.press("Control+z");
  await turnOf(page, "n10").waitFor();
  expect((await listed(program, session)).headUid).toBe(headUid);
});

it("copies a branch below a turn of another session, with what it was taken from", async ({
  page,
  program,
  session,
}) => {
  await choose(page, "dead end", "Copy into…");
  await openSession(page, "A long weekend in Trieste");
  await turnsOf(page).first().click({ button: "right" });
  await page.getByRole("menuitem", { name: /^Copy “.*” and what follows here/ }).click();
  await page.getByText(/Copied “.*” and what follows below/).waitFor();
  const other = (await listSessions(program)).get("A long weekend in Trieste");
  const whole = JSON.parse(await program.cli("export", other?.id ?? "", "--format", "json"));
  const grafts = whole.messages.filter(
    ({ meta }: { meta?: object }) => meta && "graftedFrom" in meta,
  );
  expect(grafts).toHaveLength(8);
  expect(grafts[0].meta.graftedFrom.sessionId).toBe(session.id);
});

it("copies the path to a turn below a turn of another session", async ({
  page,
  program,
  session,
}) => {
  await choose(page, "dead end", "Copy path into…");
  await openSession(page, "A long weekend in Trieste");
  const before = (await listSessions(program)).get("A long weekend in Trieste")?.messageCount ?? 0;
  await turnsOf(page).first().click({ button: "right" });
  await page.getByRole("menuitem", { name: /^Copy the path to “.*” here/ }).click();
  await page.getByText(/Copied the path to “.*” below/).waitFor();
  const path = JSON.parse(await program.cli("show", session.id, "--branch", "n3", "--json")).path;
  await expect
    .poll(async () => (await listSessions(program)).get("A long weekend in Trieste")?.messageCount)
    .toBe(before + path.length);
  // Undo leaves no trace: no message, and nothing in the trash.
  await page.keyboard.press("Control+z");
  await expect
    .poll(async () => (await listSessions(program)).get("A long weekend in Trieste")?.messageCount)
    .toBe(before);
  await expect.poll(() => page.getByText(/in the trash/).count()).toBe(0);
});

it("splits a branch off as a session that knows where it is from", async ({ page }) => {
  await choose(page, "idea", "Split off as session");
  await page.getByRole("button", { name: "Open" }).click();
  await page
    .getByRole("feed", { name: "Messages" })
    .getByText("Same problem, but plan it")
    .waitFor();
  await page.getByRole("button", { name: "Open parent session" }).click();
  await turnOf(page, "dead end").waitFor();
});

it("goes from a session to what was split off from it by its links, and back", async ({
  page,
  program,
  session,
}) => {
  await program.cli("split", session.id, "idea");
  await page.getByRole("button", { name: "1 link to other sessions" }).click();
  await page.getByRole("menuitem").filter({ hasText: "Split off as" }).click();
  const feed = page.getByRole("feed", { name: "Messages" });
  await feed.getByText("Same problem, but plan it").waitFor();
  await expect.poll(() => turnsOf(page).count()).toBe(1);
  await page.getByRole("button", { name: "1 link to other sessions" }).click();
  await page
    .getByRole("menuitem")
    .filter({ hasText: /Split off/ })
    .click();
  await turnOf(page, "dead end").waitFor();
  await checkPage(page);
  // The turn itself leads there, too.
  await feed.getByText("Split off as").waitFor();
  await page.getByLabel("Selected turn").getByRole("button", { name: "idea" }).last().click();
  await expect.poll(() => turnsOf(page).count()).toBe(1);
  await page.getByRole("button", { name: "Open parent session" }).click();
  await turnOf(page, "dead end").waitFor();
});

it("opens a hit in the trash of a session there, and shows the trash", async ({ page }) => {
  await viewTurn(page, "n7");
  await page.keyboard.press("Delete");
  await expect.poll(() => turnOf(page, "n7").count()).toBe(0);
  await page.keyboard.press("Control+Shift+F");
  await page.getByPlaceholder("Search messages").fill("is:hidden inline path flag");
  await page.getByRole("option").filter({ hasText: "inline path" }).first().click();
  await page
    .getByRole("feed", { name: "Messages" })
    .getByText("keep the inline path behind a flag")
    .waitFor();
  await expect.poll(() => turnOf(page, "n7").getAttribute("aria-current")).toBe("true");
  const trash = trashOf(page);
  await trash.getByRole("button", { name: "Restore all" }).click();
  await expect.poll(() => trash.count()).toBe(0);
});

it("empties the trash of the session for good", async ({ page, program, session }) => {
  await viewTurn(page, "n5");
  await page.keyboard.press("Delete");
  const trash = trashOf(page);
  await trash.getByRole("button", { name: "Show" }).click();
  await trash.getByRole("button", { name: "Empty…" }).click();
  await page.getByRole("button", { name: "Empty trash" }).click();
  await page.getByText("Emptied trash: deleted 2 messages for good").waitFor();
  await expect.poll(async () => (await listed(program, session)).messageCount).toBe(55);
});
