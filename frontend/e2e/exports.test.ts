// The export dialog by mouse and keys, and the file that each choice leads to. The list of secrets in the settings.

import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { checkNames, checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { mailSession, openSession, withSamples } from "./samples";

const secretSession = "Why does the backup not start?";
const password = "kV7-Zx81Qq-mB3";

let program: Program;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  program = await startProgram(async (program) => {
    await withSamples(program);
    const record = (uuid: string, parentUuid: string | null, role: string, content: unknown) =>
      JSON.stringify({
        type: role,
        uuid,
        parentUuid,
        sessionId: "bbbbbbbb-0000-4000-8000-000000000001",
        timestamp: "2026-11-19T10:00:00.000Z",
        cwd: "/home/ada/vault",
        message: { role, model: "m", content },
      });
    const file = join(program.home, "secrets.jsonl");
    const answer = `DB_PASSWORD=${password} is set in /home/ada/vault/.env; ask ada@example.org and ada@example.org again.`;
    await writeFile(
      file,
      `${record("u1", null, "user", secretSession)}\n${record("u2", "u1", "assistant", [{ type: "text", text: answer }])}\n`,
    );
    await program.cli("import", file);
  });
  browser = await openBrowser({ width: 1000, height: 700 });
  page = await openPage(browser, program.url);
  page.setDefaultTimeout(20_000);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

afterEach(async () => {
  await page.keyboard.press("Escape"); // a failed test leaves its dialog open
});

/** Opens the dialog of a session by its key. */
async function openDialog(title: string): Promise<Locator> {
  await openSession(page, title);
  await page.keyboard.press("Control+e");
  const dialog = page.getByRole("dialog", { name: "Export session" });
  await dialog
    .getByRole("radio", { name: /\d messages/ })
    .last()
    .waitFor({ state: "attached" });
  return dialog;
}

/** Confirms the dialog, answers that of the system, and returns the file once it is written. */
async function write(name: string, confirm = () => page.keyboard.press("Enter")): Promise<string> {
  const path = join(program.home, name);
  await confirm();
  await program.answerDialog("Export", path);
  await page.getByText(`Exported ${name}`).first().waitFor();
  return path;
}

const text = (path: string) => readFile(path, "utf8");

it("is operated by keys alone", async () => {
  const dialog = await openDialog(mailSession);
  await checkNames(page);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  // From the button, around the dialog, to the formats.
  const html = dialog.getByRole("radio", { name: /^HTML/ });
  for (let tabs = 0; tabs < 20 && !(await isFocused(html)); tabs++) await press("Tab");
  expect(await isFocused(html)).toBe(true);
  await press("ArrowRight");
  expect(await dialog.getByRole("radio", { name: /^Markdown/ }).isChecked()).toBe(true);
  await press("Tab");
  await press("ArrowDown", "ArrowDown", "ArrowDown");
  expect(await dialog.getByRole("radio", { name: /^The last turn/ }).isChecked()).toBe(true);
  await press("Tab", "ArrowDown", "ArrowDown");
  expect(await dialog.getByRole("radio", { name: /^Prompts and answers/ }).isChecked()).toBe(true);
  const written = await text(await write("turn.md"));
  expect(written).toContain("scope: turn\n");
  expect(written).toContain("detail: prompts\n");
  expect(written).toContain("Twelve attempts");
  expect(written).not.toContain("Map how we send mail");
  await dialog.waitFor({ state: "hidden" });
});

const isFocused = (one: Locator) => one.evaluate((element) => element === document.activeElement);

it("writes some turns of the path, and no others", async () => {
  const dialog = await openDialog(mailSession);
  await dialog.getByText("Text", { exact: true }).click();
  await dialog.getByText("Full", { exact: true }).click();
  await dialog.getByText("Some turns").click();
  const from = dialog.getByLabel("From", { exact: true });
  const names = await from.locator("option").allTextContents();
  await from.selectOption({ index: 1 });
  await dialog.getByLabel("To", { exact: true }).selectOption({ index: 1 });
  await checkPage(page);
  const written = await text(await write("turns.txt"));
  expect(names[1]).toContain("options");
  expect(written).toContain("What are the options");
  expect(written).toContain("[Before these turns, not included: 8 messages]");
  expect(written).toContain("[Continues, not included: ");
  expect(written).not.toContain("Twelve attempts");
});

it("writes the branches that are ticked", async () => {
  const dialog = await openDialog(mailSession);
  await dialog.getByText("JSON", { exact: true }).click();
  await dialog.getByText("Chosen branches").click();
  const box = dialog.getByRole("checkbox", { name: /path on screen/ });
  await box.uncheck();
  await dialog.getByText("Choose a branch.").waitFor();
  expect(await dialog.getByRole("button", { name: "Choose file…" }).isDisabled()).toBe(true);
  await dialog.getByRole("checkbox", { name: /^map/ }).check();
  const written = JSON.parse(await text(await write("branch.json")));
  expect(written.messages).toHaveLength(18);
});

it("encrypts a page that only its passphrase opens", async () => {
  const dialog = await openDialog(mailSession);
  await dialog.getByText("HTML", { exact: true }).click();
  await dialog.getByText("The whole tree").click();
  await dialog.getByText("Encrypt with a passphrase").click();
  await dialog.getByLabel("Passphrase", { exact: true }).fill("correct horse");
  await dialog.getByLabel("The same passphrase again").fill("correct house");
  await dialog.getByText("The passphrases differ.").waitFor();
  await checkPage(page);
  await dialog.getByLabel("The same passphrase again").fill("correct horse");
  const path = await write("sealed.html");
  expect(await text(path)).not.toContain("Twelve attempts");
  const sealed = await openPage(browser, `file://${path}`, (page) => page.getByLabel("Passphrase"));
  await sealed.getByLabel("Passphrase").fill("correct house");
  await sealed.getByRole("button", { name: "Open" }).click();
  await sealed.getByText("The passphrase is wrong").waitFor();
  expect(await sealed.getByText("Twelve attempts").count()).toBe(0);
  await sealed.getByLabel("Passphrase").fill("correct horse");
  await sealed.getByRole("button", { name: "Open" }).click();
  await sealed.getByRole("heading", { level: 1, name: mailSession }).waitFor();
  await sealed.getByRole("main").getByText("Twelve attempts").first().waitFor();
  await sealed.close();
});

it("replaces what the preview lists, except for what the user keeps", async () => {
  const dialog = await openDialog(secretSession);
  await dialog.getByText("Markdown", { exact: true }).click();
  await dialog.getByRole("checkbox", { name: /Redact secrets/ }).check();
  await dialog.getByLabel(/Own words/).fill("backup");
  await dialog.getByRole("button", { name: "Preview what is replaced" }).click();
  await dialog.getByRole("group", { name: "Keys and passwords · 1" }).waitFor();
  await dialog
    .getByRole("listitem")
    .filter({ hasText: `DB_PASSWORD=${password} is set` })
    .first()
    .waitFor();
  await dialog.getByRole("checkbox", { name: "ada@example.org 2 places" }).uncheck();
  await dialog.getByRole("checkbox", { name: /^backup/ }).waitFor();
  await checkPage(page);
  const written = await text(await write("redacted.md"));
  expect(written).not.toContain(password);
  expect(written).not.toContain("/home/ada");
  expect(written).not.toMatch(/backup/i);
  expect(written).toContain("ada@example.org");
});

it.each([
  ["JSON lines", "jsonl", /^\{"format":"coppice.lines"/],
  ["CSV", "csv", /^.*input/],
  ["OpenTelemetry", "otlp.json", /"resourceSpans"/],
  ["SVG", "svg", /^<svg /],
  ["PNG", "png", /PNG/],
  ["DOT", "dot", /^digraph/],
])("writes %s", async (title, extension, content) => {
  const dialog = await openDialog(mailSession);
  await dialog.getByText(title, { exact: true }).click();
  await dialog.getByRole("checkbox", { name: /Redact secrets/ }).uncheck();
  await checkPage(page);
  const path = await write(`tree.${extension}`, () =>
    dialog.getByRole("button", { name: "Choose file…" }).click(),
  );
  expect((await readFile(path, "latin1")).slice(0, 2000)).toMatch(content);
});

it("writes the sessions that are selected in the library to a folder", async () => {
  const row = (title: string) => page.getByRole("option").filter({ hasText: title });
  await row(secretSession).click();
  await row(mailSession).click({ modifiers: ["Control"] });
  await page.keyboard.press("Control+Shift+E");
  const dialog = page.getByRole("dialog", { name: "Export 2 sessions" });
  await dialog.getByText("Text", { exact: true }).click();
  await checkPage(page);
  const folder = join(program.home, "two");
  await dialog.getByRole("button", { name: "Choose file…" }).click();
  await program.answerDialog("Export", folder);
  await expect.poll(async () => (await readdir(folder).catch(() => [])).length).toBe(2);
  const names = (await readdir(folder)).sort();
  expect(names.map((name) => name.replace(/-[0-9a-f-]+\.txt$/, ""))).toEqual([
    "queue-outgoing-mail-instead-of-sending-i",
    "why-does-the-backup-not-start",
  ]);
  for (const name of names) expect((await stat(join(folder, name))).size).toBeGreaterThan(100);
});

it("lists each secret in the settings, and leads to its messages", async () => {
  await page.keyboard.press("Control+,");
  const settings = page.getByRole("region", { name: "Settings" });
  await settings.getByRole("tab", { name: "Data" }).click();
  const secrets = settings.getByRole("region", { name: "Secrets" });
  const row = secrets.getByRole("listitem").first();
  await row.waitFor({ timeout: 60_000 });
  await row.locator("summary").click();
  await checkPage(page);
  expect(await secrets.innerText()).not.toContain(password);
  await row.getByRole("button", { name: new RegExp(secretSession.replace("?", ".")) }).click();
  await settings.waitFor({ state: "hidden" });
  await page.getByRole("feed", { name: "Messages" }).getByText(password).waitFor();
});
