// A session continues in another tool: the dialog writes a new session of that tool and shows the command. The mirror that the settings choose.

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";

const title = "Plan the login page";

let program: Program;
let browser: BrowserContext;
let page: Page;

const entry = (home: string, uuid: string, parentUuid: string | null, role: string, text: string) =>
  JSON.stringify({
    type: role,
    uuid,
    parentUuid,
    sessionId: "aaaaaaaa-0000-4000-8000-000000000001",
    timestamp: "2026-11-19T10:00:00.000Z",
    cwd: join(home, "shop"),
    message:
      role === "user"
        ? { role, content: text }
        : { role, model: "m", content: [{ type: "text", text }] },
  });

beforeAll(async () => {
  program = await startProgram(async ({ home, cli }) => {
    await mkdir(join(home, "shop"));
    const first = "10000000-0000-4000-8000-000000000001";
    const second = "10000000-0000-4000-8000-000000000002";
    const lines = [
      entry(home, first, null, "user", title),
      entry(home, second, first, "assistant", "Use sessions, with DB_PASSWORD=hunter2-Zx81Qq."),
    ];
    await writeFile(join(home, "one.jsonl"), `${lines.join("\n")}\n`);
    await cli("import", join(home, "one.jsonl"));
  });
  browser = await openBrowser({ width: 1440, height: 900 });
  page = await openPage(browser, program.url);
  page.setDefaultTimeout(20_000);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const palette = async (words: string, option: string | RegExp) => {
  await page.keyboard.press("Control+k");
  await page.keyboard.type(words);
  await page.getByRole("dialog").getByRole("option", { name: option }).first().click();
};

it("writes a session of another tool and shows how to continue it", async () => {
  await palette(title, title);
  await page.getByRole("feed", { name: "Messages" }).getByText("Use sessions").waitFor();
  await palette(">continue in", /^Continue in…/);
  const dialog = page.getByRole("dialog", { name: "Continue in…" });
  await dialog.getByText("Codex", { exact: true }).click();
  await dialog.getByText("Redact secrets").click();
  await checkPage(page);
  await dialog.getByRole("button", { name: "Write session" }).click();
  await dialog.getByText(/codex resume/).waitFor();
  await checkPage(page);

  const folder = join(program.home, ".codex", "sessions");
  const files = (await readdir(folder, { recursive: true })).filter((name) =>
    name.endsWith(".jsonl"),
  );
  expect(files).toHaveLength(1);
  const written = await readFile(join(folder, files[0] ?? ""), "utf8");
  expect(written).toContain(title);
  expect(written).toContain("Use sessions");
  expect(written).not.toContain("hunter2");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
});

it("keeps a mirror that the settings choose", async () => {
  await page.keyboard.press("Control+,");
  const settings = page.getByRole("region", { name: "Settings" });
  await settings.getByRole("tab", { name: "Data" }).click();
  const mirror = settings.getByRole("region", { name: "Mirror" });
  const folder = join(program.home, "mirror");
  await mkdir(folder);
  await mirror.getByRole("button", { name: "Choose folder…" }).click();
  await program.answerDialog("Choose the folder of the mirror", folder);
  await mirror.getByText(folder).waitFor();
  await expect
    .poll(async () => (await readdir(folder, { recursive: true })).join(" "), { timeout: 20_000 })
    .toMatch(/plan-the-login-page-[0-9a-f]+\.md/);
  await mirror.getByRole("button", { name: "Stop the mirror" }).click();
  await mirror.getByRole("button", { name: "Choose folder…" }).waitFor();
});
