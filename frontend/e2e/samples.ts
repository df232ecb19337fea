// The sample library as the tests know it. Its sessions have branches, labels, tool calls and an image.

import type { Page } from "playwright-core";
import type { Program } from "./program";

/** Fills a library before its window opens. */
export const withSamples = async ({ cli }: Pick<Program, "cli">) => {
  await cli("import", "--samples");
};

/** The sample with the most to show: labels, six branches, diffs. */
export const mailSession = "Queue outgoing mail instead of sending it inline";

/** Opens a session by a click in the library: what is on screen when this returns is of it, and not of the one before. */
export async function openSession(page: Page, title: string): Promise<void> {
  await page.getByRole("option").filter({ hasText: title }).click();
  await page.getByRole("heading", { level: 2 }).filter({ hasText: title }).waitFor();
  await page.getByRole("feed", { name: "Messages" }).waitFor();
}

/** A session as `coppice sessions --json` tells it. */
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

/** Views a turn by a click in the outline: its path is on screen when this returns, so that keys act on it. */
export async function viewTurn(page: Page, text: string): Promise<void> {
  const row = page
    .getByRole("treegrid", { name: "Turns" })
    .getByRole("row")
    .filter({ hasText: text });
  await row.click();
  await row.and(page.locator("[aria-current=true]")).waitFor();
}
