import { appendFile, mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { listSessions, mailSession, openSession } from "./samples";

let program: Program;
let browser: BrowserContext;
let page: Page;
let claudeFile: string;

/** A line in the shape of Claude Code's files. */
const record = (uuid: string, parentUuid: string | null, type: string, message: unknown) =>
  `${JSON.stringify({
    uuid,
    parentUuid,
    type,
    message,
    isSidechain: false,
    sessionId: "6b1c0000-0000-4000-8000-000000000000",
    cwd: "/home/dev/bakery",
    version: "2.1.0",
    timestamp: "2026-11-20T09:00:00.000Z",
  })}\n`;

const uuid = (n: number) => `6b1c0000-0000-4000-8000-00000000000${n}`;

beforeAll(async () => {
  program = await startProgram(async ({ home }) => {
    const folder = join(home, "claude", "projects", "-home-dev-bakery");
    await mkdir(folder, { recursive: true });
    claudeFile = join(folder, "6b1c0000-0000-4000-8000-000000000000.jsonl");
    await writeFile(
      claudeFile,
      record(uuid(1), null, "user", { role: "user", content: "Why does the oven log twice?" }) +
        "{ a damaged line\n" +
        record(uuid(2), uuid(1), "assistant", {
          id: "msg_1",
          role: "assistant",
          model: "model-x",
          content: [{ type: "text", text: "Two handlers are registered." }],
          usage: { input_tokens: 10, output_tokens: 5 },
        }),
    );
  });
  browser = await openBrowser();
  page = await openPage(browser, program.url);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

it("offers what it finds on this machine, imports it and reports the damaged line", async () => {
  await page.getByRole("button", { name: /^Import from Claude Code/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Import finished").waitFor();
  await dialog
    .getByText(/:2|line 2/)
    .first()
    .waitFor();
  await checkPage(page);
  await dialog.getByRole("button", { name: "Done" }).click();
  await openSession(page, "Why does the oven log twice?");
  await page.getByText("Two handlers are registered.").waitFor();
});

it("shows what another tool writes, a moment after it was written", async () => {
  await appendFile(
    claudeFile,
    record(uuid(3), uuid(2), "user", { role: "user", content: "Remove one of them." }),
  );
  await page.getByText("Remove one of them.").first().waitFor({ timeout: 10_000 });
  const session = (await listSessions(program)).get("Why does the oven log twice?");
  expect(session?.messageCount).toBe(3);
  const other = "7c2d0000-0000-4000-8000-000000000000";
  const folder = join(program.home, "claude", "projects", "-home-dev-mill");
  await mkdir(folder);
  await writeFile(
    join(folder, `${other}.jsonl`),
    record(other, null, "user", { role: "user", content: "Grind finer" }).replace(
      "6b1c0000-0000-4000-8000-000000000000",
      other,
    ),
  );
  await page.getByRole("option").filter({ hasText: "Grind finer" }).waitFor();
});

it("leaves the reader in place when more is written than fits, and leads to it", async () => {
  const text = Array.from({ length: 60 }, (_, at) => `Handler ${at + 1} is registered here.`);
  const content = [{ type: "text", text: text.join("\n\n") }];
  await appendFile(
    claudeFile,
    record(uuid(4), uuid(3), "assistant", { id: "msg_2", role: "assistant", content }),
  );
  const feed = page.getByRole("feed");
  const jump = page.getByRole("button", { name: "New messages" });
  await jump.waitFor();
  await feed.getByText("Why does the oven log twice?").waitFor();
  expect(await feed.evaluate((element) => element.scrollTop)).toBe(0);
  await jump.click();
  await expect.poll(() => feed.evaluate((element) => element.scrollTop)).toBeGreaterThan(50);
  await jump.waitFor({ state: "detached" });
});

it("shows what is followed, and stops following it", async () => {
  await page.keyboard.press("Control+,");
  const settings = page.getByRole("region", { name: "Settings" });
  await settings.getByRole("tab", { name: "Known locations" }).click();
  const stop = settings.getByRole("button", { name: /Stop following/ });
  await stop.scrollIntoViewIfNeeded();
  await checkPage(page);
  await stop.click();
  await settings.getByRole("button", { name: /^Follow Claude Code/ }).waitFor();
  await page.keyboard.press("Escape");
  await appendFile(
    claudeFile,
    record(uuid(5), uuid(4), "user", { role: "user", content: "Which one is gone?" }),
  );
  await page.waitForTimeout(1500);
  expect((await listSessions(program)).get("Why does the oven log twice?")?.messageCount).toBe(4);
});

it("writes the whole tree as one safe page, by the system's dialog", async () => {
  await program.cli("import", "--samples");
  await openSession(page, mailSession);
  await page.getByRole("button", { name: "Export" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("HTML", { exact: true }).click();
  await dialog.getByText("The whole tree").click();
  await checkPage(page);
  const path = join(program.home, "mail.html");
  await dialog.getByRole("button", { name: "Choose file…" }).click();
  await program.answerDialog("Export", path);
  await expect
    .poll(async () => (await stat(path).catch(() => undefined))?.size ?? 0, { timeout: 15_000 })
    .toBeGreaterThan(10_000);
  const written = await browser.newPage();
  const errors: string[] = [];
  written.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await written.goto(`file://${path}`);
  await written.getByRole("heading", { level: 1, name: mailSession }).waitFor();
  await written.getByRole("main").getByText("Try number 2 first").first().waitFor(); // a branch off the path
  await checkPage(written);
  expect(errors).toEqual([]);
  await written.close();
});

it("keeps the settings", async () => {
  await page.keyboard.press("Control+,");
  const settings = page.getByRole("region", { name: "Settings" });
  await settings.getByRole("tab", { name: "Appearance" }).click();
  await settings.getByText("Dark", { exact: true }).click();
  await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
  await checkPage(page);
  await page.keyboard.press("Escape");
  await page.reload();
  await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
});
