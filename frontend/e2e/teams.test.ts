// Teams in the window: choosing one, running it, speaking to one agent, and what shows who wrote what.

import { cp, mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { useScript } from "./scripts";

let program: Program;
let browser: BrowserContext;
let page: Page;

const root = resolve(import.meta.dirname, "../..");

const pair = (folder: string) => `description: A writer, and a critic who approves
agents:
  - {name: writer, model: "script/${folder}/writer.json", description: writes the text, prompt: Write., tools: [todo]}
  - {name: critic, model: "script/${folder}/critic.json", description: finds what is wrong, prompt: Judge., tools: [todo]}
selection: round_robin
termination: {any: [{pattern: '(?m)^APPROVED', agents: [critic]}, {max_turns: 6}]}
`;

const script = (name: string, why: string, ...texts: string[]) =>
  JSON.stringify({
    name,
    turns: [
      { match: "why", alternatives: [[{ text: why }]] },
      { alternatives: [texts.map((text) => ({ text }))] },
    ],
  });

beforeAll(async () => {
  program = await startProgram(async ({ home, cli }) => {
    await useScript({ home }, { turns: [{ alternatives: [[{ text: "I am alone." }]] }] });
    const teams = join(home, "config/coppice/teams");
    const folder = join(home, "scripts");
    await mkdir(teams, { recursive: true });
    await mkdir(folder, { recursive: true });
    await cp(join(root, "docs/teams"), join(home, "docs/teams"), { recursive: true });
    await writeFile(
      join(folder, "writer.json"),
      script("writer", "It has five syllables.", "Stools in a row.", "Cut stools wake in spring."),
    );
    await writeFile(
      join(folder, "critic.json"),
      script("critic", "A season makes it a haiku.", "It needs a season.", "APPROVED"),
    );
    await writeFile(join(teams, "pair.yaml"), pair(folder));
    await writeFile(
      join(teams, "broken.yaml"),
      "agents: [{name: a, prompt: A.}]\nselection: roulette\n",
    );
    const shop = join(home, "shop/.coppice/teams");
    await mkdir(shop, { recursive: true });
    await writeFile(join(shop, "theirs.yaml"), "agents: [{name: helper, prompt: Help.}]\n");
    void cli;
  });
  browser = await openBrowser({ width: 1440, height: 900 });
  page = await openPage(browser, program.url);
  page.setDefaultTimeout(15_000);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

const feed = () => page.getByRole("feed", { name: "Messages" });
const composer = () => page.getByRole("region", { name: "Composer" });
const field = () => composer().getByRole("textbox");
const say = async (text: string) => {
  await field().fill(text);
  await page.keyboard.press("Enter");
};
const sessions = async (): Promise<{ id: string; status: string; stopReason: string }[]> =>
  JSON.parse(await program.cli("sessions", "--json"));

it("offers the user's teams beside the agents, and why one cannot be used", async () => {
  await field().waitFor();
  await composer()
    .getByRole("button", { name: /^Agent: / })
    .click();
  const menu = page.getByRole("menu");
  await menu.getByText("A writer, and a critic who approves · 2 agents · in turn").waitFor();
  await menu.getByText(/unknown strategy|roulette/).waitFor();
  await checkPage(page);
  await menu.getByRole("menuitemcheckbox", { name: /^pair/ }).click();
  await composer().getByRole("button", { name: "Team: pair" }).waitFor();
  await composer().getByRole("button", { name: "Agents and models" }).click();
  await page.getByRole("combobox", { name: "Model of critic" }).waitFor();
  await checkPage(page);
  await page.keyboard.press("Escape");
});

it("runs the team, turn by turn, and shows the author of each answer", async () => {
  await say("write a haiku about coppicing");
  await feed().getByText("Stools in a row.").waitFor();
  await feed().getByText("It needs a season.").waitFor();
  await feed().getByText("APPROVED").waitFor();
  await expect.poll(async () => (await sessions())[0]?.stopReason).toBe("team_done");
  const names = feed().locator("article .role-word");
  expect(await names.allTextContents()).toEqual(["You", "writer", "critic", "writer", "critic"]);
  await checkPage(page);
});

it("completes the name of an agent, who alone answers", async () => {
  await field().fill("@cr");
  await composer()
    .getByRole("option", { name: /^critic/ })
    .waitFor();
  await page.keyboard.press("Tab");
  expect(await field().inputValue()).toBe("@critic ");
  await page.keyboard.type("why?");
  await page.keyboard.press("Enter");
  await feed().getByText("A season makes it a haiku.").waitFor();
  await expect.poll(async () => (await sessions())[0]?.stopReason).toBe("team_done");
  expect(await feed().getByText("It has five syllables.").count()).toBe(0);
});
