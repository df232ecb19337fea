// Uses of an encrypted library in the window: it is encrypted before anything is in it, locks by itself, leaves nothing readable behind, and
// reads encrypted sessions of AgentZero.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";

const patience = { timeout: 30_000 };
const passphrase = "a passphrase of this test";
const pictures = process.env.PICTURES;
/** A session as AgentZero encrypts it: base64 of salt, nonce and AES-256-GCM with a key by Argon2id. */
const sealed =
  "MDEyMzQ1Njc4OWFiY2RlZmFiY2RlZmdoaWprbBs+m5JB5lUg+O8plKYX5PwY+rxDG/XLWnY28VDrdSqBXYEic8zmp2ctSPPFyXkUM2fWcfBUc1GouIcD91axP4wzT/7wVFGnNOYaUCJc4g75g//6wKfAmbYamrHKl+KzmxprmnZ20q8UuSwVj0Vm7smKgyKsEU1+K55gLs5eCpHDIwRrH4oPQzbCRZhmCDZtdZsFUOg13bndfchGOrnSxAAVmMNNO7SMqEYe16OnSmsWWJyB4bBhr3e60vR2rDSqoeX+3jCfOPfuHhP4NXafZeBVgXGPohshmgM=";
const secret = "quince ladder";

let program: Program;
let browser: BrowserContext;
let page: Page;
let bus: ChildProcess;
let busAddress: string;

beforeAll(async () => {
  bus = spawn("dbus-daemon", ["--session", "--nofork", "--print-address"]);
  busAddress = await new Promise((resolve) =>
    bus.stdout?.once("data", (data) => resolve(String(data).trim())),
  );
  program = await startProgram(
    async ({ home }) => {
      const folder = join(home, "project/.agentzero/sessions");
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, "sealed-1.json.enc"), sealed);
    },
    "library",
    { DBUS_SYSTEM_BUS_ADDRESS: busAddress },
  );
  browser = await openBrowser();
  page = await openPage(browser, program.url);
  page.setDefaultTimeout(30_000);
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
  bus?.kill();
});

const button = (name: string) => page.getByRole("button", { name, exact: true });

async function picture(name: string) {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** The files below a folder that contain a text. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && (await readFile(path).catch(() => "")).includes(text)) found.push(path);
  }
  return found;
}

async function unlock() {
  await page.getByRole("heading", { name: "The library is locked" }).waitFor(patience);
  await page.getByLabel("Passphrase or recovery code").fill(passphrase);
  await button("Unlock").click();
}

const session = () => page.getByRole("option").filter({ hasText: secret }).first();

it("encrypts the library before anything is in it", async () => {
  await page.getByText("The library is not encrypted").waitFor();
  await picture("first-start");
  await checkPage(page);
  await button("Encrypt…").click();
  await page.getByLabel("New passphrase").fill(passphrase);
  await page.getByLabel("The same passphrase again").fill(passphrase);
  await button("Encrypt").click();
  await page.getByText("The keyring of this system does not respond").waitFor(patience);
  await picture("no-keyring");
  await page.getByText("Unlock with the keyring on this machine").click();
  await button("Encrypt").click();
  await page.getByText("Print this recovery code").waitFor(patience);
  await button("Done").click();
  await expect.poll(() => page.getByText("The library is not encrypted").count()).toBe(0);
  const head = await readFile(join(program.home, "library/coppice.db"));
  expect(head.subarray(0, 11).toString()).toBe("cryptvfs db");
});

it("asks for the passphrase of sessions of AgentZero, and imports them", async () => {
  await button("Choose a folder…").click();
  await program.answerDialog("Import a folder of sessions", join(program.home, "project"));
  const field = page.getByLabel("Passphrase of the sessions");
  await field.waitFor(patience);
  await picture("agentzero");
  await field.fill("a passphrase of agentzero");
  await page.keyboard.press("Enter");
  await button("Done").click(patience);
  await session().waitFor(patience);
  await picture("agentzero-imported");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("quince");
  await page.locator("mark", { hasText: "quince" }).first().waitFor();
  await page.keyboard.press("Escape");
});

it("locks when the machine is about to be suspended", async () => {
  await session().waitFor();
  const announce = join(import.meta.dirname, "announce-sleep.go");
  await promisify(execFile)("go", ["run", announce, busAddress]);
  await unlock();
  await session().waitFor(patience);
});

it("locks after some time without a key or a click", async () => {
  await page.clock.install();
  await page.reload();
  await session().waitFor(patience);
  await page.clock.fastForward("14:00");
  await page.keyboard.press("Shift");
  await page.clock.fastForward("14:00");
  await page.clock.runFor(10_000);
  expect(await page.getByRole("heading", { name: "The library is locked" }).count()).toBe(0);
  await page.clock.fastForward("02:00");
  await page.clock.runFor(10_000);
  await page.getByRole("heading", { name: "The library is locked" }).waitFor(patience);
  await picture("locked-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await picture("locked-dark");
  expect(await page.content()).not.toContain(secret);
});

it("leaves nothing readable in the folders of the user", async () => {
  for (const text of [secret, "Behind the shed", passphrase, "a passphrase of agentzero"])
    expect(await filesWith(program.home, text), text).toEqual([]);
  await program.close();
  for (const text of [secret, "Behind the shed", passphrase, "a passphrase of agentzero"])
    expect(await filesWith(program.home, text), text).toEqual([]);
});
