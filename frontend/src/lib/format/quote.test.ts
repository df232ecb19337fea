import { expect, test } from "vitest";
import { quoteOf } from "./quote";

test("quotes every line, and leaves no room for what follows to join it", () => {
  expect(quoteOf("one\n\n\n\ntwo  \n")).toBe("> one\n>\n> two");
});

test("keeps the look of code, also of code that shows a fence", () => {
  expect(quoteOf("\n  if x:\n    y\n", true)).toBe("> ```\n>   if x:\n>     y\n> ```");
  expect(quoteOf("```go\nx\n```", true)).toBe("> ````\n> ```go\n> x\n> ```\n> ````");
});

test("cuts the middle out of a long quote, between words", () => {
  const words = Array.from({ length: 900 }, (_, at) => `word${at}`);
  const quote = quoteOf(words.join(" "));
  expect(quote.length).toBeLessThan(1300);
  const [start = "", gap, end = ""] = quote.split("\n").map((line) => line.slice(2));
  expect(gap).toBe("[…]");
  expect(words.join(" ").startsWith(`${start} `)).toBe(true);
  expect(words.join(" ").endsWith(` ${end}`)).toBe(true);
});

test("cuts a line without spaces, and no character in two", () => {
  const quote = quoteOf("🌳".repeat(2000));
  expect(quote.length).toBeLessThan(1300);
  expect(encodeURIComponent(quote)).toContain("%F0%9F%8C%B3");
});

test("quotes nothing where there is nothing", () => {
  expect(quoteOf(" \n\n ")).toBe("");
});
