// Exported pages in a browser: safe with hostile text in every field, readable and usable, plain and encrypted.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { hostileSession } from "./hostile-session";
import { observe } from "./page-observer";

const run = promisify(execFile);
const coppice = resolve(import.meta.dirname, "../../build/bin/coppice");
const passphrase = "correct horse battery";

let home: string;
let browser: BrowserContext;

/** Runs a command on the test's library, with a line as its input. */
function cli(args: string[], input = ""): Promise<{ stdout: string }> {
  const env = { ...process.env, HOME: home, COPPICE_DB: join(home, "library.db") };
  const running = run(coppice, args, { env });
  running.child.stdin?.end(input);
  return running;
}

/** Exports a session as a page and opens it; requests beside the page itself fail the test. */
async function openExport(session: string, name: string, ...flags: string[]): Promise<Page> {
  const path = join(home, name);
  await cli(
    ["export", session, "--format", "html", "--scope", "tree", "--output", path, ...flags],
    `${passphrase}\n`,
  );
  const page = await openPage(browser, `file://${path}`, (page) =>
    page.getByRole("heading", { level: 1 }),
  );
  return page;
}

const requests: string[] = [];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "coppice-pages-"));
  await cli(["import", "--samples"]);
  browser = await openBrowser();
  browser.setDefaultTimeout(15_000);
  browser.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) requests.push(request.url());
  });
});

afterAll(async () => {
  await browser?.close();
  await rm(home, { recursive: true, force: true });
});

/** Texts that have run scripts in pages which trusted them. */
const attacks = [
  `"><script>document.title="run"</script>`,
  `'><img src=x onerror="document.title='run'">`,
  `</script><script>document.title="run"</script>`,
  `</style></title></textarea><svg onload="document.title='run'">`,
  `<iframe srcdoc="<script>top.document.title='run'</script>"></iframe>`,
  `[x](javascript:document.title='run') ![x](https://example.org/x.png)`,
  `<https://example.org/"onmouseover="document.title='run'>`,
  `--><link rel=stylesheet href=https://example.org/x.css><base href=https://example.org/>`,
  `<form action=https://example.org><input type=submit></form><meta http-equiv=refresh content="0;url=https://example.org">`,
];

/** The session of an attack; the same conversation under another id would join it. */
const idOf = (attack: number) =>
  `019a9f00-0000-7000-8000-0000000001${String(attack).padStart(2, "0")}`;

it.each([
  ["plain", []],
  ["with JSON", ["--with-json"]],
  ["encrypted", ["--encrypt"]],
])("runs and loads nothing of a hostile session, %s", async (name, flags) => {
  for (const [index, attack] of attacks.entries()) {
    const id = idOf(index);
    const file = join(home, "hostile.json");
    await writeFile(file, hostileSession(id, `Plan ${attack}`, attack, "/w"));
    await cli(["import", file]);
    const page = await openExport(id, `hostile ${name} ${index}.html`, ...flags);
    if (name === "encrypted") await unlock(page);
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll("details")) fold.open = true;
      for (const link of document.querySelectorAll("main a"))
        link.dispatchEvent(new Event("mouseover"));
    });
    await page.waitForTimeout(100);
    expect(await page.title()).toContain("Plan ");
    expect(await page.locator("main iframe, main form, main script, main link").count()).toBe(0);
    if (index === 0) await checkPage(page);
    await page.close();
  }
  expect(requests).toEqual([]);
});

it("runs and loads nothing of a hostile session in WebKitGTK", async () => {
  const naive = join(home, "naive.html");
  const held = attacks.map((attack) => `<div class="message">${attack}</div>`).join("\n");
  await writeFile(naive, `<!doctype html><title>Plan</title><main>${held}</main>`);
  const files = [naive];
  for (const [name, flags] of [
    ["plain", []],
    ["with JSON", ["--with-json"]],
    ["encrypted", ["--encrypt"]],
  ] as const) {
    for (const [index, attack] of attacks.entries()) {
      const id = idOf(index);
      const file = join(home, "hostile.json");
      await writeFile(file, hostileSession(id, `Plan ${attack}`, attack, "/w"));
      await cli(["import", file]);
      const path = join(home, `webkit ${name} ${index}.html`);
      await cli(
        ["export", id, "--format", "html", "--scope", "tree", "--output", path, ...flags],
        `${passphrase}\n`,
      );
      files.push(path);
    }
  }
  const observed = await observe(home, [passphrase], files);
  // What the observer sees of a page that trusts its texts.
  expect(observed.get(naive)).toContain("title run");
  expect(observed.get(naive)?.join(" ")).toContain("request https://example.org/");
  observed.delete(naive);
  for (const [file, lines] of observed) {
    expect(lines, file).toHaveLength(2);
    expect(lines[0], file).toMatch(/^title .*Plan/);
    expect(lines[1], file).toBe("shown true");
  }
}, 240_000);

async function unlock(page: Page): Promise<void> {
  await page.getByLabel("Passphrase").fill(passphrase);
  await page.getByRole("button", { name: "Open" }).click();
  await page.locator("#transcript").waitFor();
}

const shown = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("main .message")]
      .filter((message) => message.checkVisibility())
      .map(({ id }) => id),
  );

it("shows one path, and the branch of an alternative that is followed", async () => {
  const page = await openExport("mail-outbox", "paths.html");
  const all = await shown(page);
  const lifted = await page.evaluate(
    () =>
      [...document.querySelectorAll("main .message, main .message *")].filter(
        (one) => getComputedStyle(one).position !== "static",
      ).length,
  );
  expect(lifted).toBe(0); // each message is where it is written
  const view = page.getByLabel("Branches to show");
  await view.selectOption({ label: "Path to the end" });
  const path = await shown(page);
  expect(path.length).toBeLessThan(all.length);
  expect(await page.locator("main .strand > h2:visible").count()).toBe(0);
  const pager = page.locator("main .pager:visible").first();
  await pager
    .getByRole("link", { name: /sibling/ })
    .first()
    .click();
  const other = await shown(page);
  expect(other).not.toEqual(path);
  expect(await view.inputValue()).not.toBe("head");
  await view.selectOption({ label: "Path to the end" });
  const branch = page.locator(".contents .fork a").first(); // a link to the whole branch, which is hidden
  await branch.click();
  expect(await page.locator((await branch.getAttribute("href")) ?? "").isVisible()).toBe(true);
  await view.selectOption({ label: "All branches" });
  expect(await shown(page)).toEqual(all);
  await checkPage(page);
  await page.close();
});

it("leads from the map to a turn, by search and by keys", async () => {
  const page = await openExport("mail-outbox", "keys.html");
  await page.locator("svg.map a").last().focus();
  await page.keyboard.press("Enter");
  expect(new URL(page.url()).hash).toMatch(/^#n\d+$/);
  await page.keyboard.press("/");
  await page.keyboard.type("outbox table");
  await page.keyboard.press("Enter");
  await page.getByText(/^1 of \d+$/).waitFor();
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await checkPage(page);
  }
  await page.keyboard.press("Escape");
  await page.locator("#transcript").focus();
  await page.evaluate(() => scrollTo(0, 0));
  await page.keyboard.press("j");
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
  await page.getByLabel("Tools").uncheck();
  expect(await page.locator("main details.card:visible").count()).toBe(0);
  await page.keyboard.press("t");
  await page.close();
});

it("leads to a distant turn of a long page", async () => {
  const record = (at: number) => ({
    type: at % 2 ? "assistant" : "user",
    uuid: `u${at}`,
    parentUuid: at ? `u${at - 1}` : null,
    sessionId: "dddddddd-0000-4000-8000-000000000001",
    timestamp: new Date(1_790_000_000_000 + at * 1000).toISOString(),
    cwd: "/home/ada",
    message: {
      role: at % 2 ? "assistant" : "user",
      content: `${at} ${"words ".repeat((at * 37) % 900)}`,
    },
  });
  const lines = Array.from({ length: 3000 }, (_, at) => JSON.stringify(record(at)));
  const file = join(home, "long.jsonl");
  await writeFile(file, lines.join("\n"));
  await cli(["import", file]);
  await (await openExport("dddddddd", "long.html")).close();
  const page = await openPage(browser, `file://${join(home, "long.html")}#n1100`, (page) =>
    page.getByRole("heading", { level: 1 }),
  );
  const top = () =>
    page.evaluate(() =>
      Math.round(document.getElementById("n1100")?.getBoundingClientRect().top ?? -1),
    );
  await expect.poll(top).toBe(56); // below the tools
  await page.close();
});

it.each(["light", "dark"] as const)("is accessible in the %s theme", async (colorScheme) => {
  const page = await openExport("mail-outbox", `${colorScheme}.html`);
  await page.emulateMedia({ colorScheme });
  await page.getByText("Open all").click();
  await checkPage(page);
  await page.close();
});

it("is readable without scripts", async () => {
  const page = await openExport("mail-outbox", "static.html");
  await page.close();
  const chromium = browser.browser();
  const context = await chromium?.newContext({ javaScriptEnabled: false });
  const still = context && (await context.newPage());
  await still?.goto(`file://${join(home, "static.html")}`);
  expect(await still?.locator("#tools").isVisible()).toBe(false);
  expect(await still?.locator('main [id^="m"]').count()).toBe(57);
  await context?.close();
});

it("prints whole lines, and states what is folded", async () => {
  const page = await openExport("mail-outbox", "printed.html");
  const note = page.getByText("What is folded is printed as a line");
  expect(await note.isVisible()).toBe(false);
  await page.emulateMedia({ media: "print" });
  expect(await note.isVisible()).toBe(true);
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll<HTMLDetailsElement>("main details"))
      fold.open = true;
  });
  expect(await note.isVisible()).toBe(false);
  await page.setViewportSize({ width: 500, height: 700 }); // narrower than many lines of code
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll("main *")]
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
      .map((one) => one.outerHTML.slice(0, 100)),
  );
  expect(cut).toEqual([]);
  await page.close();
});

it("saves the JSON that it carries, and Coppice reads the page", async () => {
  const page = await openExport("mail-outbox", "carries.html", "--with-json");
  await page.getByText("More", { exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save JSON" }).click(),
  ]);
  const saved = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(saved.format).toBe("coppice.session");
  expect(saved.messages).toHaveLength(57);
  await page.close();
  const { stdout } = await cli(["import", join(home, "carries.html")]);
  expect(stdout).toContain("1 unchanged");
});

it("opens an encrypted page with its passphrase alone", async () => {
  const page = await openExport("mail-outbox", "sealed.html", "--encrypt");
  await checkPage(page);
  await page.getByLabel("Passphrase").fill("wrong");
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByText("The passphrase is wrong").waitFor();
  await unlock(page);
  await page.getByRole("heading", { level: 1, name: /outgoing mail/ }).waitFor();
  await page.getByLabel("Branches to show").selectOption({ label: "Path to the end" });
  expect((await shown(page)).length).toBeGreaterThan(10);
  await checkPage(page);
  await page.close();
});
