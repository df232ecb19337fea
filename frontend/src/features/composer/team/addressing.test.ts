import { expect, test } from "vitest";
import { namesFor, typedName } from "./addressing";

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
  expect(namesFor(typedName(text), names)).toEqual(expected);
});
