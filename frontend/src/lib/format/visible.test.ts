import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { visible } from "./visible";

interface Case {
  name: string;
  text: string;
  visible: string;
}

const cases: Case[] = JSON.parse(
  readFileSync("../backend/render/plain/testdata/visible.json", "utf8"),
);

test.each(cases)("$name, as in Go", ({ text, visible: want }) => {
  expect(visible(text)).toBe(want);
  expect(visible(want)).toBe(want);
});
