// The first start on a machine with the histories of many tools: what is found is imported by one click, everything can be searched, what is
// written later comes in by itself, and nothing of another tool's is touched.

import { createHash } from "node:crypto";
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";

const claudeID = "11111111-2222-4333-8444-555555555555";
const codexID = "019b7ca9-8c88-78a7-9562-9d0cce26b98b";
const at = (second: number) => `2026-01-02T03:04:${String(second).padStart(2, "0")}.000Z`;

const lines = (...records: object[]) => `${records.map((one) => JSON.stringify(one)).join("\n")}\n`;
const claude = (uuid: string, parentUuid: string | null, type: string, content: string) => ({
  ...{ uuid, parentUuid, type, sessionId: claudeID, cwd: "/garden", timestamp: at(1) },
  message: { role: type, id: uuid, content: [{ type: "text", text: content }] },
});

/** What each tool keeps: a session with a word of its own. Folders as they are in a home of Linux. */
const histories: Record<string, string> = {
  [`claude/projects/-garden/${claudeID}.jsonl`]: lines(
    claude("q", null, "user", "Where does the alder grow?"),
    claude("a", "q", "assistant", "By the brook."),
  ),
  [`.codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-${codexID}.jsonl`]: lines(
    { timestamp: at(1), type: "session_meta", payload: { id: codexID, cwd: "/garden" } },
    {
      ...{ timestamp: at(2), type: "response_item" },
      payload: {
        ...{ type: "message", role: "user" },
        content: [{ type: "input_text", text: "Plant a birch" }],
      },
    },
  ),
  ".gemini/tmp/garden/chats/session-2026-01-02T03-04-g1.json": JSON.stringify({
    ...{ sessionId: "g1", projectHash: "h", startTime: at(1), lastUpdated: at(2) },
    messages: [{ id: "m1", timestamp: at(1), type: "user", content: "Coppice the chestnut" }],
  }),
  "data/opencode/storage/session/p/ses_1.json": JSON.stringify({
    ...{ id: "ses_1", version: "1.0.0", projectID: "p", directory: "/garden", title: "Larch" },
    time: { created: 1_760_000_000_000, updated: 1_760_000_000_000 },
  }),
  "data/opencode/storage/message/ses_1/msg_1.json": JSON.stringify({
    ...{ id: "msg_1", sessionID: "ses_1", role: "user" },
    time: { created: 1_760_000_000_000 },
  }),
  "data/opencode/storage/part/msg_1/prt_1.json": JSON.stringify({
    ...{ id: "prt_1", sessionID: "ses_1", messageID: "msg_1", type: "text", text: "Fell a larch" },
  }),
  ".pi/agent/sessions/--garden--/1_p1.jsonl": lines(
    { type: "session", version: 3, id: "p1", timestamp: at(1), cwd: "/garden" },
    {
      ...{ type: "message", id: "aaaaaaaa", parentId: null, timestamp: at(1) },
      message: { role: "user", content: "Prune the hazel", timestamp: 1_760_000_000_000 },
    },
  ),
  ".agent/sessions/h1.json": JSON.stringify({
    metadata: {
      ...{ id: "h1", name: "h1", createdAt: at(1), lastActivityAt: at(1), messageCount: 1 },
    },
    messages: [{ id: "m1", role: "user", content: "Graft the medlar", timestamp: at(1) }],
  }),
};
const tools = ["Claude Code", "Codex", "Gemini CLI", "OpenCode", "pi", "Agent Harness"];
const words = ["alder", "birch", "chestnut", "larch", "hazel", "medlar"];

let program: Program;
let browser: BrowserContext;
let page: Page;
let before: string[];

beforeAll(async () => {
  program = await startProgram(async ({ home }) => {
    for (const [name, text] of Object.entries(histories)) {
      await mkdir(dirname(join(home, name)), { recursive: true });
      await writeFile(join(home, name), text);
    }
    before = await traces(home);
  });
  browser = await openBrowser();
  page = await openPage(browser, program.url);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

/** The folders of other tools with what is in them: names, contents, times. */
async function traces(home: string): Promise<string[]> {
  const all: string[] = [];
  for (const folder of ["claude", ".codex", ".gemini", "data/opencode", ".pi", ".agent"]) {
    for (const entry of await readdir(join(home, folder), { recursive: true })) {
      const path = join(home, folder, entry);
      const info = await stat(path);
      const hash = info.isFile() ? createHash("sha256").update(await readFile(path)) : undefined;
      all.push(`${folder}/${entry} ${info.mtimeMs} ${info.mode} ${hash?.digest("hex") ?? ""}`);
    }
  }
  return all.sort();
}

const list = () => page.getByRole("listbox", { name: /sessions/i });

it("lists the tools that were found, with what they have", async () => {
  for (const tool of tools)
    await page.getByRole("button", { name: `Import from ${tool},` }).waitFor();
  await page.getByText("1 file ·").first().waitFor();
  await expect
    .poll(() => page.getByRole("button", { name: "Import from Agent Base," }).count())
    .toBe(0);
  await checkPage(page);
});

it("imports all of it by one click, and the library fills", async () => {
  await page.getByRole("button", { name: /^Import all \d+ folders$/ }).click();
  await page.getByRole("dialog", { name: "Import finished" }).waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await expect.poll(() => list().getByRole("option").count()).toBe(tools.length);
});

it("finds a word that every tool's session alone has", async () => {
  for (const word of words) {
    await page.keyboard.press("Control+k");
    await page.keyboard.type(word);
    await page.locator("mark", { hasText: word }).first().waitFor();
    await page.keyboard.press("Escape");
  }
});

it("has touched nothing of theirs", async () => {
  expect(await traces(program.home)).toEqual(before);
});

it("shows what is written later, without a click", async () => {
  const path = join(program.home, `claude/projects/-garden/${claudeID}.jsonl`);
  await list().getByRole("option").filter({ hasText: "alder" }).click();
  await page.getByText("By the brook.").first().waitFor();
  await appendFile(path, lines(claude("q2", "a", "user", "And where the willow?")));
  await page.getByRole("feed").getByText("And where the willow?").waitFor();
});

it("keeps a session whose file is deleted, and marks it", async () => {
  await rm(join(program.home, "claude"), { recursive: true });
  await expect
    .poll(async () => await program.cli("show", claudeID, "--json"), { timeout: 10_000 })
    .toContain("sourceGoneAtMs");
  await page.getByRole("feed").getByText("And where the willow?").waitFor();
  await page.getByText("only here").waitFor();
});
