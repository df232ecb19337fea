// A library that the user encrypts in the window, locks and unlocks: nothing of it is readable on the disk or, once locked, on the page.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { mailSession, withSamples } from "./samples";

const patience = { timeout: 30_000 };
const passphrase = "a passphrase of this test";
/** Where pictures for a developer are saved; none without it. */
const pictures = process.env.PICTURES;

const it = test.extend<{ program: Program; page: Page }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures from the pattern
  program: async ({}, use) => {
    const program = await startProgram(withSamples);
    await use(program).finally(program.stop);
  },
  page: async ({ program }, use) => {
    const browser = await openBrowser();
    const page = await openPage(browser, program.url);
    page.setDefaultTimeout(30_000);
    await use(page).finally(() => browser.close());
  },
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function picture(page: Page, name: string) {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** The files below a folder that hold a text. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const found = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return (await readFile(path)).includes(text) ? path : "";
    }),
  );
  return found.filter((path) => path !== "");
}

it("encrypts the library, locks it and unlocks it", async ({ page, program }) => {
  expect(await filesWith(program.home, mailSession)).not.toEqual([]);
  await page.keyboard.press("Control+,");
  await page.getByRole("tab", { name: "Data" }).click();
  await page.getByRole("button", { name: "Encrypt…" }).scrollIntoViewIfNeeded();
  await picture(page, "settings-plain");
  await button(page, "Encrypt…").click();
  await page.getByLabel("New passphrase").fill(passphrase);
  await page.getByLabel("The same passphrase again").fill("another");
  await page.getByText("Unlock with the keyring on this machine").click();
  await picture(page, "encrypt");
  await checkPage(page);
  await button(page, "Encrypt").click();
  await page.getByText("The passphrases differ.").waitFor();
  await page.getByLabel("The same passphrase again").fill(passphrase);
  await button(page, "Encrypt").click();
  await page.getByText("Print this recovery code").waitFor(patience);
  await picture(page, "code");
  await button(page, "Done").click();
  await expect.poll(() => filesWith(program.home, mailSession), patience).toEqual([]);

  await button(page, "Lock now").waitFor(patience);
  await picture(page, "settings-encrypted");
  await button(page, "Lock now").click();
  await page.getByRole("heading", { name: "The library is locked" }).waitFor(patience);
  await picture(page, "locked");
  await checkPage(page);
  expect(await page.content()).not.toContain(mailSession);
  expect(await page.title()).toBe("Coppice");
  const field = page.getByLabel("Passphrase or recovery code");
  await field.fill("another");
  await button(page, "Unlock").click();
  await page.getByRole("alert").waitFor(patience);
  await picture(page, "wrong");
  await field.fill(passphrase);
  await button(page, "Unlock").click();
  await page.getByRole("option").filter({ hasText: mailSession }).first().waitFor(patience);
  await picture(page, "unlocked");
  expect(await filesWith(program.home, mailSession)).toEqual([]);
});
