// The main screens in other languages: everything is translated, nothing overflows, and the window mirrors where lines are written from the right.

import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkPage, openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { mailSession, withSamples } from "./samples";

let program: Program;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  program = await startProgram(withSamples);
  browser = await openBrowser({ width: 1000, height: 700 });
  page = await openPage(browser, program.url);
  await page.getByRole("option").first().waitFor();
});

afterAll(async () => {
  await browser?.close();
  await program?.stop();
});

async function speak(language: string): Promise<void> {
  await page.evaluate(async (language) => {
    // biome-ignore lint/suspicious/noExplicitAny: the bindings as Wails provides them
    const { SettingsBindings } = (window as any).go.window;
    await SettingsBindings.SetSettings({ ...(await SettingsBindings.GetSettings()), language });
  }, language);
  await reopen();
}

/** Opens the page again: one that reloads while it asks something would log errors. */
async function reopen(): Promise<void> {
  await page.close();
  page = await openPage(browser, program.url);
  await page.getByRole("option").first().waitFor();
}

/** Texts on screen, and names for assistive technology, that are in English: pseudo-translations are in brackets and have accents. */
function englishTexts(): Promise<string[]> {
  return page.evaluate(() => {
    // What sessions and files contribute, and what lies under a page.
    const data =
      '[inert], [dir="auto"], [dir="ltr"], [aria-live="polite"], .prose, pre, code, .font-mono, kbd, svg, option[lang], [aria-hidden="true"]';
    const known =
      /^(?:Queue|outgoing|instead|sending|inline|alt|coppice|db|harbour|almanac|recipe|mail|outbox|scratch|build|plan|review|sonnet|opus|gpt|codex|gemini|pro|claude|OpenRouter|Mistral|DeepSeek|xAI|Groq|Together|Fireworks|Ollama|Studio|llama|cpp|vLLM|KoboldCpp|LocalAI|Jan|Coppice|Claude|Code|Codex|Gemini|ChatGPT|OpenAI|Anthropic|Google|Markdown|HTML|JSON|CSV|MCP|URL|Esc|Ctrl|Alt|Shift|Mon|Tue|Wed|Thu|Fri|Sat|Sun|\w+day|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|January|February|March|April|June|July|August|September|October|November|December)$/;
    const found = new Set<string>();
    const check = (element: Element, text: string | null) => {
      const rest = (text ?? "").replace(/⟦[^⟦⟧]*⟧/g, "").replace(/[⟦⟧]/g, "");
      const words = rest.match(/[A-Za-z]{3,}/g) ?? [];
      if (words.some((word) => !known.test(word))) found.add(`${element.tagName} ${rest.trim()}`);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!element?.checkVisibility({ visibilityProperty: true }) || element.closest(data))
        continue;
      if (!element.closest("script, style")) check(element, node.textContent);
    }
    for (const element of document.querySelectorAll("[aria-label], [placeholder]")) {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.closest(data)) continue;
      // The name of a turn has its words in it.
      if (!element.matches("[role=row], [role=option], [aria-live]"))
        check(element, element.getAttribute("aria-label"));
      check(element, element.getAttribute("placeholder"));
    }
    return [...found];
  });
}

/** What is wider than its place: elements that leave the window, and controls whose text leaves them. */
function overflowing(): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      element !== document.body &&
      (getComputedStyle(element).overflowX !== "visible" || scrolls(element.parentElement));
    for (const element of document.body.querySelectorAll("*")) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      const box = element.getBoundingClientRect();
      const name = `${element.tagName} ${element.textContent?.trim().slice(0, 40)}`;
      const leaves = box.right > innerWidth + 1 || box.left < -1;
      if (box.width > 1 && leaves && !scrolls(element.parentElement))
        found.push(`outside: ${name}`);
      if (!element.matches("button, [role=tab], [role=menuitem], h1, h2, h3, h4, label, dt, th"))
        continue;
      const isCut = element.scrollWidth > element.clientWidth + 1;
      if (isCut && getComputedStyle(element).overflowX === "visible") found.push(`cut: ${name}`);
    }
    return found;
  });
}

/** Closes what floats over the page. */
async function closeAll(): Promise<void> {
  const floating = page.locator("[role=dialog], [role=menu]");
  while ((await floating.count()) > 0) await page.keyboard.press("Escape");
}

const sections = 8;

/** The screens, and what to do on the page to come to each. */
const screens: Record<string, () => Promise<void>> = {
  home: () => page.keyboard.press("Control+Shift+H"),
  statistics: () => page.keyboard.press("Control+Shift+S"),
  palette: async () => {
    await page.keyboard.press("Control+Shift+S");
    await page.keyboard.press("Control+K");
    await page.keyboard.type(">");
  },
  search: async () => {
    await closeAll();
    await page.keyboard.press("Control+Shift+F");
    await page.keyboard.type("harbour");
    await page.getByRole("dialog").getByRole("option").first().waitFor();
  },
  import: async () => {
    await closeAll();
    await page.keyboard.press("Control+O");
    await page.getByRole("dialog").waitFor();
  },
  shortcuts: async () => {
    await closeAll();
    await page.keyboard.press("Control+/");
    await page.getByRole("dialog").waitFor();
  },
  menu: async () => {
    await closeAll();
    await page.locator("header [aria-haspopup=menu]").click();
    for (let entry = 0; entry < 3; entry++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
  },
  transcript: async () => {
    await closeAll();
    // The tree is closed in a narrower window.
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("option").filter({ hasText: mailSession }).click();
    await page.getByRole("article").first().waitFor();
    await page.locator("[data-pane=tree] [role=tab]").first().click();
    await page.locator("[data-pane=tree] [role=row]").first().waitFor();
  },
  composer: async () => {
    // The line of a session without a model becomes the field.
    await page.locator("[data-composer] button").last().click();
    await page.locator("[data-composer] textarea").waitFor();
  },
  models: async () => {
    await page.locator("[data-composer] [aria-haspopup=dialog]").first().click();
    await page.getByRole("dialog").waitFor();
  },
  "message menu": async () => {
    await closeAll();
    await page.getByRole("article").first().click({ button: "right" });
    await page.getByRole("menu").waitFor();
  },
  "turn menu": async () => {
    await closeAll();
    await page.locator("[data-pane=tree] [role=row]").first().click({ button: "right" });
    await page.getByRole("menu").waitFor();
  },
  digest: async () => {
    await closeAll();
    await page.getByRole("article").first().focus();
    await page.keyboard.press("2");
    await page.locator(".work-line").first().waitFor();
  },
  compare: async () => {
    await page.keyboard.press("Control+Shift+D");
    await page.locator(".lucide-git-merge").waitFor();
  },
  checkpoints: async () => {
    await page.keyboard.press("Escape");
    await page.locator("[data-pane=tree] [role=tab]").nth(2).click();
  },
  map: async () => {
    await page.locator("[data-pane=tree] [role=tab]").nth(1).click();
    await page.locator("canvas").first().waitFor();
  },
  timeline: async () => {
    await page.locator("[data-pane=tree] [data-pane-focus]").focus();
    await page.keyboard.press("t");
    await page.locator("[data-timeline]").waitFor();
  },
  export: async () => {
    await closeAll();
    await page.setViewportSize({ width: 1000, height: 700 });
    await page.keyboard.press("Control+E");
    await page.getByRole("dialog").waitFor();
  },
};

/** Shows each screen in turn, and then each section of the settings. */
async function eachScreen(visit: (name: string) => Promise<void>): Promise<void> {
  for (const [name, show] of Object.entries(screens)) {
    await show();
    await page.waitForLoadState("networkidle");
    await visit(name);
  }
  await closeAll();
  await page.keyboard.press("Control+,");
  const tabs = page.locator("[data-pane=settings] [role=tab]");
  await tabs.first().waitFor();
  expect(await tabs.count()).toBe(sections);
  for (let at = 0; at < sections; at++) {
    await tabs.nth(at).click();
    await visit(`settings ${at}`);
  }
  await page.keyboard.press("Escape");
}

it("everything on the main screens is in the catalogue, and nothing overflows in a longer language", async () => {
  await speak("pseudo");
  const problems: Record<string, string[]> = {};
  await eachScreen(async (name) => {
    const found = [...(await englishTexts()), ...(await overflowing())];
    if (found.length > 0) problems[name] = found;
  });
  expect(problems).toEqual({});
}, 180_000);

it("the window mirrors where lines are written from the right", async () => {
  await speak("pseudo-rtl");
  const box = async (pane: string) => (await page.locator(`[data-pane=${pane}]`).boundingBox())?.x;
  expect(await box("library")).toBeGreaterThan((await box("transcript")) ?? 0);
  const problems: Record<string, string[]> = {};
  await eachScreen(async (name) => {
    const found = await overflowing();
    if (found.length > 0) problems[name] = found;
  });
  expect(problems).toEqual({});
}, 180_000);

describe.each([
  ["de", "Einstellungen", "Darstellung", "Sprache"],
  ["es", "Ajustes", "Apariencia", "Idioma"],
  ["zh-Hans", "设置", "外观", "语言"],
])("%s", (language, settings, appearance, label) => {
  it("is chosen in the settings, which stay open", async () => {
    await speak("en");
    await page.keyboard.press("Control+,");
    await page.getByRole("tab", { name: "Appearance" }).click();
    await page.getByRole("combobox", { name: "Language" }).selectOption(language);
    const region = page.getByRole("region", { name: settings, exact: true });
    await region.getByRole("tab", { name: appearance, selected: true }).waitFor();
    expect(await region.getByRole("combobox", { name: label }).inputValue()).toBe(language);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
    await checkPage(page);
    await reopen();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
  });
});
