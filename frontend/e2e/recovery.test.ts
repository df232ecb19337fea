// A library that cannot be opened, in the real program: the window shows it, changes nothing by itself, and each way out works.

import { copyFile, readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { listSessions, mailSession, withSamples } from "./samples";

const pageSize = 8192;
/** The size of a file that takes minutes to read, all of it holes. */
const sparseBytes = 2 ** 38;
const patience = { timeout: 30_000 };
/** Words of a message of the session that loses a page. */
const lostWords = "With the outbox there is nothing to swallow";

const libraryOf = ({ home }: Pick<Program, "home">) => join(home, "coppice.db");

/** Zeroes the first page, without which the library cannot be opened, and the page with the last copy of some words. */
async function damage(path: string) {
  const data = await readFile(path);
  const at = data.lastIndexOf(lostWords);
  if (at < pageSize) throw new Error("no message to damage");
  const from = at - (at % pageSize);
  data.fill(0, 0, pageSize);
  data.fill(0, from, from + pageSize);
  await writeFile(path, data);
}

/** Zeroes the interior pages of every table but the schema: the library can still be opened. */
async function damageInterior(path: string) {
  const data = await readFile(path);
  const interior = 5; // https://sqlite.org/fileformat.html#b_tree_pages
  for (let from = pageSize; from < data.length; from += pageSize)
    if (data[from] === interior) data.fill(0, from, from + pageSize);
  await writeFile(path, data);
}

/** Every test has a program, a damaged library of the samples with one backup, and a page of its own. */
const it = test.extend<{ program: Program; page: Page }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures from the pattern
  program: async ({}, use) => {
    const program = await startProgram(async (unopened) => {
      await withSamples(unopened);
      await copyFile(libraryOf(unopened), join(unopened.home, "sound.db"));
      await damage(libraryOf(unopened));
      await copyFile(libraryOf(unopened), join(unopened.home, "damaged.db"));
    });
    await use(program).finally(program.stop);
  },
  page: async ({ program }, use) => {
    const browser = await openBrowser();
    const page = await openPage(browser, program.url, heading);
    page.setDefaultTimeout(15_000);
    await use(page).finally(() => browser.close());
  },
});

/** Tests with a program on a library of the samples, which is sound when its window opens, and a page of it. */
const itSound = test.extend<{ program: Program; page: Page }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures from the pattern
  program: async ({}, use) => {
    const program = await startProgram(withSamples);
    await use(program).finally(program.stop);
  },
  page: async ({ program }, use) => {
    const browser = await openBrowser();
    const page = await openPage(browser, program.url);
    page.setDefaultTimeout(15_000);
    await use(page).finally(() => browser.close());
  },
});

const heading = (page: Page) => page.getByRole("heading", { name: "The library is damaged" });
const sessionsOf = (page: Page) => page.getByRole("listbox", { name: "Sessions" });
const mail = (page: Page) => page.getByRole("option").filter({ hasText: mailSession });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

/** The files beside the library that were set aside for a reason. */
async function keptAside({ home }: Program, why: "damaged" | "replaced"): Promise<string[]> {
  const names = await readdir(home);
  return names
    .filter((name) => name.startsWith(`coppice.${why}-`) && name.endsWith(".db"))
    .map((name) => join(home, name));
}

async function expectSame(path: string, other: string) {
  expect((await readFile(path)).equals(await readFile(other))).toBe(true);
}

/** The damaged file was moved aside as it was, and the library is sound. */
async function expectKept(program: Program) {
  const kept = await keptAside(program, "damaged");
  expect(kept).toHaveLength(1);
  await expectSame(kept[0] ?? "", join(program.home, "damaged.db"));
  expect(await program.cli("db", "check")).toContain("is sound");
}

it("shows that the library is damaged, changes nothing, and opens it once it is repaired", async ({
  page,
  program,
}) => {
  await page.getByText(libraryOf(program), { exact: true }).waitFor();
  await page.getByRole("list", { name: "Backups" }).getByRole("listitem").waitFor();
  await expect.poll(() => sessionsOf(page).count()).toBe(0);
  await checkPage(page);
  await button(page, "Try again").click();
  await heading(page).waitFor();
  await expectSame(libraryOf(program), join(program.home, "damaged.db"));

  await copyFile(join(program.home, "sound.db"), libraryOf(program));
  await expect
    .poll(async () => {
      // The program leaves a library that did not open alone for a while.
      if (await heading(page).isVisible()) await button(page, "Try again").click();
      return mail(page).count();
    }, patience)
    .toBe(1);
});

it("restores a backup", async ({ page, program }) => {
  await button(page, /^Restore the backup of/).click();
  await mail(page).waitFor();
  await checkPage(page);
  expect((await listSessions(program)).get(mailSession)?.branchCount).toBe(6);
  const [aside = ""] = await keptAside(program, "replaced");
  await expectSame(aside, join(program.home, "damaged.db"));
  expect(await program.cli("db", "check")).toContain("is sound");
});

it("recovers what is readable, and reports what is not", async ({ page, program }) => {
  await button(page, "Recover").click();
  await page.getByRole("heading", { name: "The readable part is saved" }).waitFor();
  const incomplete = page.getByRole("list", { name: "Incomplete sessions" });
  await incomplete.getByRole("listitem").filter({ hasText: mailSession }).waitFor();
  const report = (await page.getByRole("main").innerText()).replaceAll(",", "");
  const [, saved, expected] = report.match(/(\d+) of (\d+) messages? in \d+ sessions/) ?? [];
  const losses = [...report.matchAll(/(\d+) of \d+ messages lost/g)];
  const lost = losses.reduce((sum, [, count]) => sum + Number(count), 0);
  expect(lost).toBe(Number(expected) - Number(saved));
  await checkPage(page);

  await button(page, "Open the library").click();
  await mail(page).waitFor();
  expect(JSON.parse(await program.cli("db", "stats", "--json")).messages).toBe(Number(saved));
  await expectKept(program);
});

it("cancels a recovery, which leaves the damaged file as it is", async ({ page, program }) => {
  // So many pages, all holes of the file, that the recovery is not done before it is canceled.
  await truncate(libraryOf(program), sparseBytes);
  await button(page, "Recover").click();
  await button(page, "Cancel").click();
  await page.getByText("Stopped. Nothing was changed.").waitFor();
  await checkPage(page);
  await expect.poll(() => button(page, "Recover").isEnabled()).toBe(true);
  expect((await stat(libraryOf(program))).size).toBe(sparseBytes);
  await truncate(libraryOf(program), (await stat(join(program.home, "damaged.db"))).size);
  await expectSame(libraryOf(program), join(program.home, "damaged.db"));
  expect((await readdir(program.home)).filter((name) => /recover|\.new-/.test(name))).toEqual([]);

  await button(page, /^Restore the backup of/).click();
  await mail(page).waitFor();
});

it("starts a new library", async ({ page, program }) => {
  await button(page, "Start a new library").click();
  await page.getByRole("banner").waitFor();
  await checkPage(page);
  expect((await listSessions(program)).size).toBe(0);
  await expectKept(program);
});

itSound("makes a backup from the settings and restores it", async ({ page, program }) => {
  await mail(page).waitFor();
  const { id } = (await listSessions(program)).get(mailSession) ?? { id: "" };
  await page.keyboard.press("Control+,");
  const settings = page.getByRole("region", { name: "Settings" });
  await settings.getByRole("tab", { name: "Data" }).click();
  // The import of the samples has made the daily backup.
  await settings.getByText(/^1 backup · [\d.]+ [kM]B · the newest /).waitFor();
  await settings.getByRole("button", { name: "Back up now" }).click();
  await settings.getByText(/^2 backups · [\d.]+ [kM]B · the newest /).waitFor();
  await checkPage(page);

  await program.cli("delete", id);
  await settings.getByRole("button", { name: "Restore…" }).click();
  const restore = page.getByRole("dialog", { name: "Restore a backup" });
  await restore.getByRole("listitem").filter({ hasText: "made by you" }).waitFor();
  await checkPage(page);
  await restore
    .getByRole("button", { name: /^Restore the backup of/ })
    .first()
    .click();
  await page.getByText("Restored the backup.").waitFor();
  expect((await listSessions(program)).has(mailSession)).toBe(true);
  expect(await keptAside(program, "replaced")).toHaveLength(1);
  expect(await program.cli("db", "check")).toContain("is sound");
});

itSound(
  "refuses to restore while another process has the library open",
  async ({ page, program }) => {
    const watching = program.spawn("watch", program.home);
    await expect.poll(watching.printed, patience).toContain("following");
    await mail(page).waitFor();
    await page.keyboard.press("Control+,");
    await page.getByRole("tab", { name: "Data" }).click();
    await button(page, "Restore…").click();
    await button(page, /^Restore the backup of/).click();
    await page.getByText(/another process has .* open/).waitFor();
    await checkPage(page);
    await watching.end();
    await button(page, /^Restore the backup of/).click();
    await page.getByText("Restored the backup.").waitFor();
    expect(await keptAside(program, "replaced")).toHaveLength(1);
  },
);

itSound("finds damage after the program was killed, and recovers", async ({ page, program }) => {
  const { id } = (await listSessions(program)).get(mailSession) ?? { id: "" };
  await program.cli("label", id, "n1", "in the log");
  await page.goto("about:blank"); // the page would report that its program is gone
  await program.kill();
  await damageInterior(libraryOf(program));
  await program.restart();
  await page.goto(program.url);
  const notice = page.getByRole("alert").filter({ hasText: "Parts of the library are damaged" });
  await notice.waitFor(patience);
  await checkPage(page);
  await button(page, "Repair…").click();
  await button(page, "Back to the library").click();
  await button(page, "Repair…").click();
  await checkPage(page);
  await button(page, "Recover").click();
  await page.getByRole("heading", { name: "The readable part is saved" }).waitFor(patience);
  await button(page, "Open the library").click();
  await mail(page).waitFor();
  await expect.poll(() => notice.count()).toBe(0);
  expect(await keptAside(program, "damaged")).toHaveLength(1);
  expect(await program.cli("db", "check")).toContain("is sound");
});

const itSynced = itSound.extend<{ program: Program }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures from the pattern
  program: async ({}, use) => {
    // No command line before: it would give the warning of the day.
    const program = await startProgram(undefined, "Dropbox");
    await use(program).finally(program.stop);
  },
});

itSynced("warns once a day of a folder that is synchronised", async ({ page, program }) => {
  const notice = page.getByRole("status").filter({ hasText: "Dropbox synchronises" });
  await notice.waitFor();
  await checkPage(page);
  await page.reload();
  await notice.waitFor();
  await button(page, "Dismiss for today").click();
  await expect.poll(() => notice.count()).toBe(0);
  await program.restart();
  await page.reload();
  await page.getByRole("banner").waitFor();
  // The risk is asked for with the state of the library, so it would be shown by the time a session is.
  await program.cli("import", "--samples");
  await mail(page).waitFor();
  expect(await notice.count()).toBe(0);
});
