// The sample library as the tests know it. Its sessions have branches, labels, tool calls and an image.

import type { Locator, Page } from "playwright-core";
import { test } from "vitest";
import { openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";

/** Fills a library before its window opens. */
export const withSamples = async ({ cli }: Pick<Program, "cli">) => {
  await cli("import", "--samples");
};

/** The sample with the most to show: labels, six branches, diffs. */
export const mailSession = "Queue outgoing mail instead of sending it inline";

/** A sample that is a question. */
export const questionSession = "Why is the first search after a restart slow?";

/** Opens a session by a click in the library: what is on screen when this returns is of it, and not of the one before. */
export async function openSession(page: Page, title: string): Promise<void> {
  await page.getByRole("option").filter({ hasText: title }).click();
  await page.getByRole("heading", { level: 2 }).filter({ hasText: title }).waitFor();
  await page.getByRole("feed", { name: /^(Messages|Digest)$/ }).waitFor();
}

/** A session as `coppice sessions --json` prints it. */
export interface ListedSession {
  id: string;
  title: string;
  branchCount: number;
  messageCount: number;
  headUid: string;
}

/** The sessions of the library by their titles, asked of the command line. */
export async function listSessions({ cli }: Program): Promise<Map<string, ListedSession>> {
  const sessions: ListedSession[] = JSON.parse(await cli("sessions", "--json"));
  return new Map(sessions.map((session) => [session.title, session]));
}

/** The row of a turn in the outline, by its id, such as n4, or by its words. */
export function turnRow(page: Page, text: string): Locator {
  const grid = page.getByRole("treegrid", { name: "Turns" });
  return /^n\d+$/.test(text)
    ? grid.locator(`[data-node="${text}"]`).first()
    : grid.getByRole("row").filter({ hasText: text });
}

/** Views a turn by a click in the outline: its path is on screen when this returns, so that keys act on it. */
export async function viewTurn(page: Page, text: string): Promise<void> {
  const row = turnRow(page, text);
  await row.click();
  await row.and(page.locator("[aria-current=true]")).waitFor();
}

/** Makes tests that each have a program, the sample library and a page of their own, with a session of it open. */
export function withOpenSession(title: string, size: { width: number; height: number }) {
  return test.extend<{ program: Program; page: Page; session: ListedSession }>({
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures from the pattern
    program: async ({}, use) => {
      const program = await startProgram(withSamples);
      await use(program).finally(program.stop);
    },
    session: async ({ program }, use) => {
      const session = (await listSessions(program)).get(title);
      if (!session) throw new Error(`no session ${title}`);
      await use(session);
    },
    page: async ({ program }, use) => {
      const browser = await openBrowser(size);
      const page = await openPage(browser, program.url);
      page.setDefaultTimeout(15_000);
      await openSession(page, title);
      await use(page).finally(() => browser.close());
    },
  });
}
