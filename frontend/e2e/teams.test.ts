// Teams in the window: choosing one, running it, speaking to one agent, and what shows who wrote what.

import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
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
  program = await startProgram(async ({ home }) => {
    await useScript({ home }, { turns: [{ alternatives: [[{ text: "I am alone." }]] }] });
    const teams = join(home, "config/coppice/teams");
    const folder = join(home, "scripts");
    await mkdir(teams, { recursive: true });
    await mkdir(folder, { recursive: true });
    const examples = join(home, "examples");
    await cp(join(root, "docs/teams"), examples, { recursive: true });
    const council = await readFile(join(examples, "council.yaml"), "utf8");
    await writeFile(
      join(teams, "council.yaml"),
      council.replaceAll("script/docs/teams/", `script/${examples}/`),
    );
    await writeFile(
      join(folder, "writer.json"),
      script(
        "writer",
        "It has five syllables.",
        "Stools in a row.",
        "Cut stools wake in spring.",
        "Third.",
      ),
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
    await writeFile(
      join(teams, "gated.yaml"),
      `agents: [{name: writer, model: "script/${folder}/writer.json", prompt: Write., tools: [todo]}]
selection: round_robin
termination: {max_turns: 1, gates: [{approve: "Publish it?"}]}
`,
    );
    const slowModel = JSON.stringify({
      name: "slow",
      turns: [{ alternatives: [[{ text: "At last.", delayMs: 120_000 }]] }],
    });
    await writeFile(join(folder, "slow.json"), slowModel);
    const slowAgent = (name: string) =>
      `  - {name: ${name}, model: "script/${folder}/slow.json", prompt: Think.}\n`;
    await writeFile(
      join(teams, "slow.yaml"),
      `agents:\n${slowAgent("thinker")}${slowAgent("doubter")}selection: {strategy: parallel, join: union}\n`,
    );
    const call = { name: "task", arguments: { agent: "scout", prompt: "look around" } };
    await writeFile(
      join(folder, "lead.json"),
      JSON.stringify({
        name: "lead",
        turns: [{ alternatives: [[{ toolCalls: [call] }, { text: "Then I look myself." }]] }],
      }),
    );
    const slow = { text: "Nothing.", delayMs: 120_000 };
    await writeFile(
      join(folder, "scout.json"),
      JSON.stringify({ name: "scout", turns: [{ alternatives: [[slow]] }] }),
    );
    const quick = { name: "task", arguments: { agent: "finder", prompt: "find the file" } };
    await writeFile(
      join(folder, "boss.json"),
      JSON.stringify({
        name: "boss",
        turns: [{ alternatives: [[{ toolCalls: [quick] }, { text: "It is found." }]] }],
      }),
    );
    await writeFile(
      join(folder, "finder.json"),
      JSON.stringify({ name: "finder", turns: [{ alternatives: [[{ text: "It is here." }]] }] }),
    );
    const agents = join(home, "config/coppice/agents");
    await mkdir(agents, { recursive: true });
    await writeFile(
      join(agents, "lead.yaml"),
      `extends: build\nmodel: script/${folder}/lead.json\ndelegates: [scout]\n`,
    );
    await writeFile(
      join(agents, "scout.yaml"),
      `extends: plan\nmodel: script/${folder}/scout.json\n`,
    );
    await writeFile(
      join(agents, "boss.yaml"),
      `extends: build\nmodel: script/${folder}/boss.json\ndelegates: [finder]\n`,
    );
    await writeFile(
      join(agents, "finder.yaml"),
      `extends: plan\nmodel: script/${folder}/finder.json\n`,
    );
    const shop = join(home, "shop/.coppice/teams");
    await mkdir(shop, { recursive: true });
    await writeFile(join(shop, "theirs.yaml"), "agents: [{name: helper, prompt: Help.}]\n");
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

it("shows the authors by color and name in the transcript, the outline and the costs", async () => {
  const critic = feed().locator("article.tone-author", { hasText: "It needs a season." });
  const writer = feed().locator("article.tone-author", { hasText: "Stools in a row." });
  const color = (row: typeof critic) =>
    row.evaluate((element) => getComputedStyle(element).borderLeftColor);
  expect(await color(critic)).not.toBe(await color(writer));
  const row = page.getByRole("treegrid", { name: "Turns" }).getByRole("row").first();
  await row.getByText("writer").waitFor();
  expect(await row.getAttribute("aria-label")).toContain("by writer, critic");
  await page.getByRole("button", { name: /: cost by model$/ }).click();
  const costs = page.getByRole("dialog", { name: "Cost by model" });
  await costs.getByRole("cell", { name: "critic", exact: true }).waitFor();
  await checkPage(page);
  await page.keyboard.press("Escape");
});

it("draws a lane for each agent on demand, and branches side by side", async () => {
  await page.getByRole("button", { name: "New session" }).click();
  await composer()
    .getByRole("button", { name: /^(Agent|Team): / })
    .click();
  await page.getByRole("menuitemcheckbox", { name: /^council/ }).click();
  await say("shall we share sessions by a link?");
  await expect.poll(async () => (await sessions())[0]?.stopReason).toBe("team_done");
  await page.getByRole("tab", { name: "Map" }).click();
  await page.getByRole("button", { name: "Show as" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Show agents in lanes" }).click();
  const lanes = page.getByRole("region", { name: "Turns by agent" });
  await lanes.getByRole("button", { name: /^judge, / }).waitFor();
  const boxes = await Promise.all(
    ["user", "maintainer", "attacker", "judge"].map((name) =>
      lanes.getByRole("button", { name: new RegExp(`^${name}, `) }).boundingBox(),
    ),
  );
  const tops = boxes.map((box) => Math.round(box?.y ?? 0));
  expect(tops[1]).toBe(tops[0]);
  expect(tops[2]).toBe(tops[0]);
  expect(tops[3]).toBeGreaterThan(tops[0] ?? 0);
  await checkPage(page);
  await lanes.getByRole("button", { name: /^attacker, / }).click();
  await feed().locator("article .role-word", { hasText: "attacker" }).waitFor();
});

it("compares branches that worked in parallel", async () => {
  await page.getByRole("tab", { name: "Outline" }).click();
  const turns = page.getByRole("treegrid", { name: "Turns" });
  await turns.getByRole("row", { name: /maintainer/ }).click({ button: "right" });
  await page.getByRole("menuitem", { name: /^Compare with path on screen/ }).click();
  const rows = page.getByRole("feed", { name: "Turns side by side" });
  await rows.getByText("It needs a server, and we have none.").waitFor();
  await rows.getByText("Whoever has the link has the session: it must expire.").waitFor();
  for (const name of ["left", "right"]) {
    const side = page.getByRole("region", { name: new RegExp(`The ${name} branch`) });
    await side.getByText("1 message", { exact: true }).waitFor();
    await side.getByText(/tok$/).waitFor();
  }
  await checkPage(page);
  await page.keyboard.press("Escape");
  await rows.waitFor({ state: "detached" });
});

it("adds up the tokens and the cost of each agent in the statistics", async () => {
  await page.keyboard.press("Control+Shift+S");
  const agents = page.getByRole("region", { name: "Agents", exact: true });
  for (const name of ["writer", "critic", "judge", "maintainer"]) {
    const cells = agents.getByRole("row", { name: new RegExp(`^${name} `) }).getByRole("cell");
    expect(await cells.nth(1).innerText()).toMatch(/^[\d,.]+K?$/);
    expect(await cells.nth(2).innerText()).toMatch(/^\$/);
  }
  await checkPage(page);
  await page.keyboard.press("Escape");
  await agents.waitFor({ state: "detached" });
});

const choose = async (name: RegExp) => {
  await page.getByRole("button", { name: "New session" }).click();
  await composer()
    .getByRole("button", { name: /^(Agent|Team): / })
    .click();
  await page
    .getByRole("menu")
    .getByRole(/^New/.test(name.source.slice(1)) ? "menuitem" : "menuitemcheckbox", { name })
    .click();
};

const togglePause = async (limits: string) => {
  await composer().getByRole("button", { name: limits }).click();
  await page.getByRole("checkbox", { name: /^Pause after each answer/ }).click();
  await page.keyboard.press("Escape");
};
/** Starts the pair, which then waits for the user; returns the card that asks. */
const pauseAfterWriter = async () => {
  await togglePause("Limits");
  await say("write a haiku");
  const card = page.getByRole("alertdialog");
  await card.getByText("writer has answered and waits for you").waitFor();
  return card;
};
const stopAndUnset = async () => {
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: /^Stop here/ })
    .click();
  await expect.poll(async () => (await sessions())[0]?.stopReason).toBe("hitl_quit");
  await page.getByRole("button", { name: "New session" }).click();
  await togglePause("Limits (set)");
};

it("waits for the user after each turn, and skips an agent while the team works", async () => {
  await choose(/^pair/);
  const card = await pauseAfterWriter();
  await checkPage(page);
  await composer().getByRole("button", { name: "Agents and models" }).click();
  await page.getByRole("button", { name: "Skip critic" }).click();
  await page.keyboard.press("Escape");
  await card.getByRole("button", { name: "Continue" }).click();
  await feed().getByText("Cut stools wake in spring.").waitFor();
  expect(await feed().getByText("It needs a season.").count()).toBe(0);
  await stopAndUnset();
});

it("gives an agent another model and adds one while the team works", async () => {
  await choose(/^pair/);
  const card = await pauseAfterWriter();
  await composer().getByRole("button", { name: "Agents and models" }).click();
  await page.getByLabel("Model of critic").selectOption("script/demo");
  await page.getByLabel("Add an agent to the team").selectOption("finder");
  await page.keyboard.press("Escape");
  await card.getByRole("button", { name: "Continue" }).click();
  await card.getByText("critic has answered and waits for you").waitFor();
  await feed()
    .getByRole("article", { name: /^critic/ })
    .getByText("script/demo")
    .waitFor();
  await card.getByRole("button", { name: "Continue" }).click();
  await card.getByText("finder has answered and waits for you").waitFor();
  await feed().getByText("It is here.").waitFor();
  await checkPage(page);
  await stopAndUnset();
});

it("asks the user at a gate, and hands over what is approved", async () => {
  await choose(/^gated/);
  await say("write a haiku");
  const gate = page.getByRole("alertdialog", { name: "Publish it?" });
  await gate.waitFor();
  await checkPage(page);
  await gate.getByRole("textbox", { name: "What is missing" }).fill("a season");
  await gate.getByRole("button", { name: /^Send back/ }).click();
  await feed().getByText("Cut stools wake in spring.").waitFor();
  await gate.getByRole("button", { name: /^Approve/ }).click();
  await expect.poll(async () => (await sessions())[0]?.stopReason).toBe("team_done");
});

it("lists a running job above the field, and stops it", async () => {
  await choose(/^lead/);
  await say("look around");
  const jobs = page.getByRole("region", { name: "Jobs of other agents" });
  await jobs.getByText("scout").waitFor();
  await jobs.getByText("look around").waitFor();
  await checkPage(page);
  await jobs.getByRole("button", { name: "Stop job" }).click();
  await feed().getByText("Then I look myself.").waitFor();
  await feed().getByRole("button", { name: "Open session" }).click();
  await feed().getByText("look around").waitFor();
});

it("shows a finished job with its result and what it took, and opens it", async () => {
  await choose(/^boss/);
  await say("find it");
  await feed().getByText("It is found.").waitFor();
  await feed().getByText("It is here.").waitFor();
  await feed()
    .getByText(/\(finder: 1 step, \d+ tokens, \$0\.000000, session /)
    .waitFor();
  await checkPage(page);
  await feed().getByRole("button", { name: "Open session" }).click();
  await feed().getByText("find the file").waitFor();
  await feed().getByText("It is here.").waitFor();
});

it("names the agents that work while nothing of their answers is drawn", async () => {
  await choose(/^slow/);
  await say("think");
  const line = feed().locator("p.live-line");
  await line.getByText("thinker").waitFor();
  await line.getByText("doubter").waitFor();
  await line.getByText("Working in parallel").waitFor();
  await checkPage(page);
  await composer().getByRole("button", { name: "Stop" }).click();
  await expect.poll(async () => (await sessions())[0]?.status).not.toBe("running");
});

it("creates a team from an example, and chooses it", async () => {
  await choose(/^New team from an example/);
  await composer().getByRole("button", { name: "Team: team" }).waitFor();
  await page.getByText("Created the team team").waitFor();
  const file = join(program.home, "config/coppice/teams/team.yaml");
  expect(await readFile(file, "utf8")).toContain("name: critic");
  await composer().getByRole("button", { name: "Agents and models" }).click();
  await page.getByRole("combobox", { name: "Model of critic" }).waitFor();
  await page.keyboard.press("Escape");
  await choose(/^New team from an example/);
  await composer().getByRole("button", { name: "Team: team-2" }).waitFor();
});
