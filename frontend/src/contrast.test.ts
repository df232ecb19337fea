import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync(`${import.meta.dirname}/styles.css`, "utf8");

/** Returns the colors of a rule, by the name of their variable. */
function colors(selector: string): Record<string, string> {
  const at = css.indexOf(`\n${selector} {`);
  expect(at, selector).toBeGreaterThan(-1);
  const rule = css.slice(at, css.indexOf("}", at));
  return Object.fromEntries(
    [...rule.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((m) => m.slice(1)),
  );
}

const light = colors(":root");
const dark = { ...light, ...colors(':root[data-theme="dark"]') };
const themes = {
  light,
  dark,
  "light, high contrast": { ...light, ...colors(':root[data-contrast="high"]') },
  "dark, high contrast": {
    ...dark,
    ...colors(':root[data-contrast="high"]'), // has the specificity of the dark theme, and follows it
    ...colors(':root[data-theme="dark"][data-contrast="high"]'),
  },
};

/** The relative luminance of WCAG 2. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

const texts = ["text", "text-2", "text-3", "accent", "you", "tool", "reasoning", "error", "warn"];
const lanes = Array.from({ length: 8 }, (_, at) => `lane-${at + 1}`);
const surfaces = ["bg", "surface", "sunken"];

/** The pairs below a ratio, with their ratio. */
function below(theme: Record<string, string>, pairs: [string, string][], least: number): string[] {
  return pairs.flatMap(([front, back]) => {
    const ratio = contrast(theme[front] ?? "", theme[back] ?? "");
    return !(ratio >= least) ? [`${front} on ${back}: ${ratio.toFixed(2)}`] : [];
  });
}

test.each(Object.entries(themes))(
  "the colors of the theme %s are distinguishable",
  (name, theme) => {
    const high = name.includes("high");
    const onSurfaces = (fronts: string[]) =>
      fronts.flatMap((front) => surfaces.map((back): [string, string] => [front, back]));
    const words: [string, string][] = [
      ...onSurfaces(texts),
      ["on-accent", "accent"],
      ["text", "accent-soft"],
      ["text-2", "accent-soft"],
      ["text", "mark"],
    ];
    expect(below(theme, words, high ? 7 : 4.8)).toEqual([]);
    expect(below(theme, [["text", "selection"]], high ? 7 : 4.5)).toEqual([]);
    expect(below(theme, onSurfaces(["border-strong"]), high ? 4.5 : 3)).toEqual([]);
    if (high) expect(below(theme, onSurfaces(["border"]), 4.5)).toEqual([]);
    // The marks of authors, and of the lanes of branches.
    expect(below(theme, onSurfaces(lanes), high ? 4.5 : 3)).toEqual([]);
    expect(new Set(lanes.map((lane) => theme[lane])).size).toBe(lanes.length);
  },
);
