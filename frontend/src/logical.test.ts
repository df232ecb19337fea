// Styles name the start and the end of a line, not left and right, so that the window can be written from the right.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });

function linesOf(ending: RegExp): [string, string][] {
  return files
    .filter((name) => ending.test(name) && !name.includes(".test.") && !name.startsWith("wailsjs"))
    .flatMap((name) =>
      readFileSync(join(import.meta.dirname, name), "utf8")
        .split("\n")
        .map((line, index): [string, string] => [`${name}:${index + 1}`, line]),
    );
}

/** Classes for which a logical one exists: "pl-2" is "ps-2". "left-1/2" with a translation centers. */
const classes =
  /(?<=[\s"'`:!])-?(?:m[lr]|p[lr]|left|right|scroll-[mp][lr])-(?!1\/2)(?=[\d[(]|px\b|auto\b|full\b)|(?<=[\s"'`:!])(?:text-(?:left|right)|(?:border|rounded)-(?:[lr]|[tb][lr])(?:-[\w[]+)?)(?=[\s"'`])/;

const properties =
  /(?:margin|padding|border)-(?:left|right)|(?<![\w-])(?:left|right):(?! 50%)|(?:text-align|float): (?:left|right)|border-(?:top|bottom)-(?:left|right)/;

test("classes are logical", () => {
  expect(linesOf(/\.tsx?$/).filter(([, line]) => classes.test(line))).toEqual([]);
});

/** In a table of Markdown, its author has chosen the side. */
const ofAuthor = ([at, line]: [string, string]) =>
  at.startsWith("prose.css:") && line === "  text-align: right;";

test("properties of style sheets are logical", () => {
  const physical = linesOf(/\.css$/).filter(([, line]) => properties.test(line));
  expect(physical.filter((line) => !ofAuthor(line))).toEqual([]);
});
