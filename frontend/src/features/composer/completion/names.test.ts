import { expect, test } from "vitest";
import { namesFor, typedName } from "./names";

const names = ["writer", "reviewer", "Reader"];

test.each([
  ["@", names],
  ["@re", ["reviewer", "Reader"]],
  [" @WR", ["writer"]],
  ["@nobody", []],
  ["@writer why", []],
  ["mail me @", []],
  ["", []],
])("%j is completed to %j", (text, expected) => {
  expect(namesFor(typedName(text, "@"), names)).toEqual(expected);
});

test.each([
  ["/", names],
  ["/re", ["reviewer", "Reader"]],
  ["/re docs", []],
  ["a/re", []],
  ["/src/main.go", []],
  ["@re", []],
])("%j is completed to the commands %j", (text, expected) => {
  expect(namesFor(typedName(text, "/"), names)).toEqual(expected);
});
