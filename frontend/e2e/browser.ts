// A browser page on the real program, and what every test checks on it.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

/** Opens Debian's chromium without anything that reaches for the network. */
export async function openBrowser(size = { width: 1280, height: 800 }): Promise<BrowserContext> {
  const profile = await mkdtemp(join(tmpdir(), "coppice-browser-"));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    viewport: size,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  browsers.add(browser);
  browser.once("close", () => {
    browsers.delete(browser);
    void rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  return browser;
}

const browsers = new Set<BrowserContext>();

/** The pages that are open now. */
export function openPages(): Page[] {
  return [...browsers].flatMap((browser) => browser.pages());
}

/**
 * Opens the program's page and waits until `ready`, by default the top bar, is drawn, so that it hears keys; errors of the page fail the
 * test at `checkPage`.
 */
export async function openPage(
  browser: BrowserContext,
  url: string,
  ready = (page: Page) => page.getByRole("banner"),
): Promise<Page> {
  const page = await openFirstPage(browser, url, ready);
  // Again, because what the page itself stores late, or as it is left, is without it.
  while (await page.evaluate(showMessages)) {
    await page.reload();
    await ready(page).waitFor();
  }
  return page;
}

interface WithSettings {
  /** Undefined in a page that is not the window's. */
  go?: {
    window: {
      SettingsBindings: {
        GetState: (key: string) => Promise<string>;
        SetState: (key: string, value: string) => Promise<void>;
      };
    };
  };
}

/**
 * Stores that sessions are shown with all their messages, unless a mode is stored, and reports whether it did. A library that is locked, or
 * cannot be read, stores nothing.
 */
async function showMessages(): Promise<boolean> {
  const settings = (window as unknown as WithSettings).go?.window.SettingsBindings;
  const stored = await settings?.GetState("window").catch(() => undefined);
  const state = JSON.parse(stored || "{}");
  if (settings === undefined || stored === undefined || state.transcriptMode) return false;
  await settings.SetState("window", JSON.stringify({ ...state, transcriptMode: "all" }));
  return true;
}

/** Opens the page like openPage, but sessions are shown as a new user sees them. */
export async function openFirstPage(
  browser: BrowserContext,
  url: string,
  ready = (page: Page) => page.getByRole("banner"),
): Promise<Page> {
  const page = await browser.newPage();
  const errors: string[] = [];
  pageErrors.set(page, errors);
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !harmless.test(message.text())) {
      errors.push(message.text());
    }
  });
  pressApart(page);
  await page.goto(url);
  await ready(page).waitFor();
  return page;
}

/** Keeps keys a drawing apart from what is done before and after them, as a user's are: what closes returns the focus a moment later. */
function pressApart(page: Page): void {
  const { keyboard } = page;
  const press = keyboard.press.bind(keyboard);
  const drawn = () =>
    page
      .evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
      .catch(() => undefined); // the key has closed the page, or left it
  keyboard.press = async (...key) => {
    await drawn();
    await press(...key);
    await drawn();
  };
}

/** Closes what floats over the page by Escape, and waits until it is gone. */
export async function closeFloating(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await floatingGone(page);
}

/** Waits until nothing floats over the page and the focus is back where it was: the next key is for that. */
export async function floatingGone(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(
        () =>
          document.querySelector("[role=dialog], [role=menu]") === null &&
          document.activeElement !== document.body,
      ),
    )
    .toBe(true);
}

const pageErrors = new WeakMap<Page, string[]>();

/** What the console reports though nothing is wrong: a page without an icon, and a call of a page that is being left, when the bridge has closed its socket. */
const harmless = /favicon|reading 'send'\)\s+at \S+ \(\S+\/wails\/ipc\.js/;

/** Fails where the page has thrown, or where axe finds something serious. */
export async function checkPage(page: Page): Promise<void> {
  expect(pageErrors.get(page) ?? []).toEqual([]);
  let violations = await judge(page);
  // What began to fade while it was judged is judged again.
  for (let again = 0; violations.length > 0 && again < 3; again++) violations = await judge(page);
  expect(
    violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).join(", ")}`),
  ).toEqual([]);
}

/** Fails where something that Tab reaches has no name, or no role, for assistive technology. */
export async function checkNames(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const nameless = nodes.filter(({ ignored, name, role, properties }) => {
    const isFocusable = properties?.some(
      (one) => one.name === "focusable" && one.value.value === true,
    );
    const isGeneric = ["generic", "none"].includes(role?.value);
    return !ignored && isFocusable && (isGeneric || !String(name?.value ?? "").trim());
  });
  const found: string[] = [];
  for (const { backendDOMNodeId } of nameless) {
    if (backendDOMNodeId === undefined) continue;
    const { object } = await session.send("DOM.resolveNode", { backendNodeId: backendDOMNodeId });
    const { result } = await session.send("Runtime.callFunctionOn", {
      objectId: object.objectId as string,
      // The guards at both ends of a dialog pass the focus on at once; a toast is a list item, which is read by its content.
      functionDeclaration:
        "function () { return this.tabIndex < 0 || this.matches?.('[data-radix-focus-guard], [data-sonner-toast]') ? '' : this.outerHTML.slice(0, 200); }",
      returnByValue: true,
    });
    if (result.value) found.push(result.value);
  }
  await session.detach();
  expect(found).toEqual([]);
}

/** What axe finds serious once every color has come to rest. */
async function judge(page: Page) {
  await page.evaluate(() => {
    // What shows that something is under way never ends.
    const ends = ({ effect }: Animation) => effect?.getComputedTiming().endTime !== Infinity;
    return Promise.allSettled(
      document.getAnimations().flatMap((animation) => (ends(animation) ? animation.finished : [])),
    );
  });
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.filter((v) => v.impact === "serious" || v.impact === "critical");
}
