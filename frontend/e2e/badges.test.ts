// What the outline shows for a turn beside its words: its checkpoint, its compaction, its run, its cost, and the filter that goes by tools.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { openSession } from "./samples";
import { useScript } from "./scripts";

const garden = "Plant the hedge";

let program: Program;
let browser: BrowserContext;
let page: Page;

/** A session of Claude Code. Before its second turn two files were kept; it has a tool, and a summary at its end. */
function gardenRecords(): object[] {
  const sessionId = "11111111-2222-4333-8444-555555555555";
  let seconds = 0;
  const record = (uuid: string, parentUuid: string | null, fields: object) => ({
    uuid,
    parentUuid,
    sessionId,
    isSidechain: false,
    cwd: "/home/ada/garden",
    version: "2.1.42",
    timestamp: `2026-03-04T05:00:${String(++seconds).padStart(2, "0")}.000Z`,
    ...fields,
  });
  const user = (uuid: string, parent: string | null, content: unknown, more = {}) =>
    record(uuid, parent, { type: "user", message: { role: "user", content }, ...more });
  const says = (uuid: string, parent: string, block: object) =>
    record(uuid, parent, {
      type: "assistant",
      message: {
        id: `msg_${uuid}`,
        role: "assistant",
        model: "claude-opus-4-6",
        content: [block],
        usage: { input_tokens: 1000, output_tokens: 100 },
      },
    });
  const text = (text: string) => ({ type: "text", text });
  return [
    user("q1", null, garden),
    says("a1", "q1", text("Gladly.")),
    {
      type: "file-history-snapshot",
      messageId: "q2",
      isSnapshotUpdate: false,
      snapshot: { messageId: "q2", trackedFileBackups: { "a.md": {}, "b.md": {} } },
    },
    user("q2", "a1", "Look for a spade"),
    says("b2", "q2", { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } }),
    user("r2", "b2", [{ type: "tool_result", tool_use_id: "t1", content: "spade" }]),
    says("a2", "r2", text("There is one.")),
    user("c3", "a2", "So far: a hedge is to be planted.", { isCompactSummary: true }),
    user("q3", "c3", "When?"),
    says("a3", "q3", text("In autumn.")),
  ];
}

beforeAll(async () => {
  program = await startProgram(async (prepared) => {
    const folder = join(prepared.home, "claude", "projects", "garden");
    await mkdir(folder, { recursive: true });
    const file = join(folder, "11111111-2222-4333-8444-555555555555.jsonl");
    await writeFile(
      file,
      gardenRecords()
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(""),
    );
    await prepared.cli("import", file);
    const failure = { code: "auth", message: "the key was refused" };
    await useScript(prepared, {
      turns: [
        { match: "fail", alternatives: [[{ error: failure }]] },
        { alternatives: [[{ text: "Hazel.", costNanoUsd: 250_000_000 }]] },
      ],
    });
  });
  browser = await openBrowser({ width: 1440, height: 900 });
  page = await openPage(browser, program.url);
  await openSession(page, garden);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const pane = () => page.getByRole("complementary", { name: "Tree" });
const field = () => page.getByRole("region", { name: "Composer" }).getByRole("textbox");
const turn = (node: number): Locator =>
  page.getByRole("treegrid", { name: "Turns" }).locator(`[data-turn="${node}"]`);
const name = (node: number) => expect.poll(() => turn(node).getAttribute("aria-label"));
/** Rests the pointer on a badge until its tooltip appears. */
const explain = async (mark: Locator, said: string) => {
  await mark.hover();
  await page.getByRole("tooltip").getByText(said).waitFor();
  // What it says keeps its place as long as the pointer is on its way to it; the field has nothing to say.
  const rest = await page.getByRole("region", { name: "Composer" }).boundingBox();
  if (rest) await page.mouse.move(rest.x + 40, rest.y + rest.height / 2, { steps: 5 });
  await expect.poll(() => page.getByRole("tooltip").count()).toBe(0);
};

it("shows before which turn files were stored, and where the context was summarised", async () => {
  await name(0).not.toMatch(/checkpoint|summarised/);
  await name(1).toMatch(/Look for a spade.*context summarised, checkpoint of 2 files/);
  await name(2).not.toMatch(/checkpoint|summarised/);
  await explain(turn(1).locator(".lucide-history"), "checkpoint of 2 files");
  await explain(turn(1).locator(".lucide-fold-vertical"), "The context was summarised here");
  await checkPage(page);
});

it("lists the turns in which no tool was called", async () => {
  const chip = pane().getByRole("button", { name: /^Turns listed/ });
  await chip.click();
  await page.getByRole("menuitemcheckbox", { name: "No tools" }).click();
  await expect.poll(() => turn(1).count()).toBe(0);
  await turn(0).waitFor();
  await turn(2).waitFor();
  await page.getByRole("button", { name: "Turns listed: No tools" }).click();
  await page.getByRole("menuitemcheckbox", { name: "All" }).first().click();
  await turn(1).waitFor();
});

it("shows how a run ended, and what a turn cost", async () => {
  const say = async (text: string) => {
    await field().fill(text);
    await page.keyboard.press("Enter");
  };
  await say("Which wood?");
  await name(3).toMatch(/Which wood\?.*\$0\.25/);
  await name(3).not.toMatch(/run/);
  // There is room for it in a wide pane alone.
  await page.getByRole("separator", { name: "Width of the tree" }).press("End");
  await turn(3).getByText("$0.25").waitFor();
  await say("And now fail");
  await name(4).toMatch(/And now fail.*run failed/);
  await explain(turn(4).locator(".bg-error"), "Run failed");
  await checkPage(page);
});
