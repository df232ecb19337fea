// What the catalogues have, compared with the sources. "npm run strings" adds the texts that they lack, empty, and removes the others.

import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { cataloguePath, extractTexts, type Text } from "@/testing/strings";
import { languageNames, translatedLanguages } from "./languages";

const { texts, problems } = extractTexts();
const writes = process.env.STRINGS === "write";

test("texts are written so that they can be found", () => {
  expect(problems).toEqual([]);
});

/** The forms that a text needs in a language: of numbers up to a thousand, others are as the last one. */
function formsOf({ key, isPlural }: Text, language: string): string[] {
  if (!isPlural) return [key];
  const rules = new Intl.PluralRules(language);
  const forms = new Set(Array.from({ length: 1001 }, (_, count) => rules.select(count)));
  return [...forms.add("other")].map((form) => `${key}_${form}`);
}

const placeholders = (text: string) => (text.match(/\{\{.*?\}\}|<\/?\w+\/?>/g) ?? []).sort();
/** A form for one thing may leave the number out. */
const counted = (text: string) => placeholders(text).filter((name) => name !== "{{count}}");

describe.each(translatedLanguages)("the catalogue of %s", (language) => {
  const path = cataloguePath(language);
  const read = (): Record<string, string> => JSON.parse(readFileSync(path, "utf8"));
  const wanted = [...texts.values()].flatMap((text) => formsOf(text, language)).sort();
  if (writes) {
    const known = read();
    const next = Object.fromEntries(wanted.map((key) => [key, known[key] ?? ""]));
    writeFileSync(path, `${JSON.stringify(next, undefined, 2)}\n`);
  }
  const catalogue = read();

  test("has a text for every text of the sources, and no other", () => {
    const missing = wanted.filter((key) => !catalogue[key]);
    const unused = Object.keys(catalogue).filter((key) => !wanted.includes(key));
    expect({ missing, unused }, `run "npm run strings" and translate`).toEqual({
      missing: [],
      unused: [],
    });
  });

  test("has the placeholders of the sources", () => {
    const wrong = Object.entries(catalogue).filter(([key, text]) => {
      const english = key.replace(/_(one|other)$/, "").replace(/\|[^|]*$/, "");
      const of = english === key ? placeholders : counted;
      return text !== "" && of(text).join() !== of(english).join();
    });
    expect(wrong).toEqual([]);
  });
});

test("every language but English has a catalogue", () => {
  expect(["en", ...translatedLanguages]).toEqual(Object.keys(languageNames));
});
