import { expect, test } from "vitest";
import { TypeAhead } from "./type-ahead";

const titles = ["Auth", "Bisect", "Cache", "Clock", "auth again"];

test("a letter goes to the next title with it, round the end", () => {
  const typing = new TypeAhead();
  expect(typing.type("a", titles, 0, 0)).toBe(4);
  expect(typing.type("a", titles, 4, 100)).toBe(0);
  expect(typing.type("z", titles, 0, 5000)).toBe(-1);
});

test("letters in a row are a word; a pause begins another", () => {
  const typing = new TypeAhead();
  expect(typing.type("c", titles, 0, 0)).toBe(2);
  expect(typing.type("l", titles, 2, 200)).toBe(3);
  expect(typing.type("b", titles, 3, 5000)).toBe(1);
});

test("a space within a word belongs to it", () => {
  const typing = new TypeAhead();
  expect(typing.active(0)).toBe(false);
  for (const letter of "auth") typing.type(letter, titles, 0, 100);
  expect(typing.active(300)).toBe(true);
  expect(typing.type(" ", titles, 0, 300)).toBe(4);
  expect(typing.active(5000)).toBe(false);
});
