import { expect, it } from "vitest";
import { longestLine, mostLines, splitLines } from "./lines";

it("splits at every kind of line end and not after the last one", () => {
  expect(splitLines("a\nb\r\nc\rd\n")).toEqual(["a", "b", "c", "d"]);
  expect(splitLines("a\n\n")).toEqual(["a", ""]);
  expect(splitLines("")).toEqual([""]);
});

it("breaks lines that are too long and loses nothing of them", () => {
  const text = "x".repeat(longestLine * 2 + 3);
  const lines = splitLines(text);
  expect(lines.map(({ length }) => length)).toEqual([longestLine, longestLine, 3]);
  expect(lines.join("")).toBe(text);
});

it("stops at the most lines that can be laid out", () => {
  expect(splitLines("\n".repeat(mostLines + 10))).toHaveLength(mostLines);
});
