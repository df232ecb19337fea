import { afterEach, describe, expect, test } from "vitest";
import { msg, plural, setLanguage, t, translate } from "./i18n";
import { formatDateAs, formatInteger } from "./intl";
import { languageOf, localeOf, resolveLanguage } from "./languages";

afterEach(() => setLanguage("en"));

describe("English", () => {
  test("is in the sources", () => {
    expect(t("Cancel")).toBe("Cancel");
    expect(t("{{amount}} tok", { amount: 1204 })).toBe("1,204 tok");
    expect(plural(1, "{{count}} message", "{{count}} messages")).toBe("1 message");
    expect(plural(1204, "{{count}} message", "{{count}} messages")).toBe("1,204 messages");
    expect(translate(msg("Cancel"))).toBe("Cancel");
  });

  test("a value is text, whatever it looks like", () => {
    const amount = "{{amount}} $t(Cancel) <b>";
    expect(t("{{amount}} tok", { amount })).toBe(`${amount} tok`);
  });
});

test("a language changes texts, plural forms, numbers, dates and the page", async () => {
  await setLanguage("de");
  expect(t("Cancel")).toBe("Abbrechen");
  expect(plural(1, "{{count}} message", "{{count}} messages")).toBe("1 Nachricht");
  expect(plural(1204, "{{count}} message", "{{count}} messages")).toBe("1.204 Nachrichten");
  expect(formatInteger(1204)).toBe("1.204");
  expect(formatDateAs("weekday", Date.UTC(2026, 10, 23))).toBe("Montag");
  expect(document.documentElement.lang).toBe("de");
  await setLanguage("en");
  expect(t("Cancel")).toBe("Cancel");
  expect(document.documentElement.lang).toBe("en");
});

test("the last of two languages wins", async () => {
  await Promise.all([setLanguage("de"), setLanguage("en")]);
  expect(t("Cancel")).toBe("Cancel");
});

test("the pseudo-locales keep placeholders, and one is written from the right", async () => {
  await setLanguage("pseudo-rtl");
  expect(t("{{amount}} tok", { amount: 3 })).toBe("⟦3 ţóķ~~~~~⟧");
  expect(document.documentElement.dir).toBe("rtl");
  await setLanguage("en");
  expect(document.documentElement.dir).toBe("ltr");
});

test.each([
  ["de-AT", "de"],
  ["es-419", "es"],
  ["zh-CN", "zh-Hans"],
  ["zh-Hant-TW", undefined],
  ["zh-TW", undefined],
  ["fr", undefined],
])("the language of %s is %s", (locale, language) => {
  expect(languageOf(locale)).toBe(language);
});

test.each([
  ["", "de-CH", "de"],
  ["", "fr-FR", "en"],
  ["es", "de-CH", "es"],
])("the setting %j on a system in %s is %s", (setting, system, language) => {
  expect(resolveLanguage(setting, system)).toBe(language);
});

test.each([
  ["de", "de-CH", "de-CH"],
  ["en", "de-DE", "en-DE"],
  ["en", "fr-FR", "en-FR"],
  ["de", "en-US", "de-US"],
  ["pseudo", "en-US", "en-US"],
] as const)("%s on a system in %s is written as in %s", (language, system, locale) => {
  expect(localeOf(language, system)).toBe(locale);
});
