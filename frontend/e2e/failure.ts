// What a page showed when a test of it failed: its text is added to the failure, a picture is saved beside the build.

import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterEach } from "vitest";
import { openPages } from "./browser";

const folder = resolve(import.meta.dirname, "../../build/bin/e2e-failures");

afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  await mkdir(folder, { recursive: true });
  for (const [at, page] of openPages().entries()) {
    const name = `${task.name.replace(/[^a-z0-9]+/gi, "-")}-${at}.png`;
    await page.screenshot({ path: join(folder, name), timeout: 5_000 }).catch(() => undefined);
    const focused = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 300));
    const shown = await page.locator("body").ariaSnapshot({ timeout: 5_000 });
    const [error] = task.result.errors ?? [];
    if (error) error.message += `\n\nfocus: ${focused}\n${shown}\n`;
  }
});
