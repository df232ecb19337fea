import { describe, expect, it } from "vitest";
import { TypeAhead } from "./type-ahead";

const titles = ["keep", "kind", "map", "keeper"];
const begins = (index: number, word: string) => titles[index]?.startsWith(word) ?? false;
const typing = () => {
  const ahead = new TypeAhead();
  return (letter: string, at: number, ms: number) =>
    ahead.type(letter, titles.length, at, begins, ms);
};

describe("type-ahead", () => {
  it("narrows down while letters follow quickly", () => {
    const type = typing();
    expect(type("k", 2, 0)).toBe(3);
    expect(type("I", 3, 200)).toBe(1);
    expect(type("n", 1, 400)).toBe(1);
  });

  it("goes on to the next with the same letter, round the end", () => {
    const type = typing();
    expect(type("k", 0, 0)).toBe(1);
    expect(type("k", 1, 100)).toBe(3);
    expect(type("k", 3, 200)).toBe(0);
  });

  it("begins anew after a pause, and finds nothing where nothing is", () => {
    const type = typing();
    expect(type("k", 0, 0)).toBe(1);
    expect(type("m", 1, 2000)).toBe(2);
    expect(type("x", 2, 4000)).toBe(-1);
  });

  it("knows while a word is typed", () => {
    const ahead = new TypeAhead();
    expect(ahead.isActive(0)).toBe(false);
    ahead.type("k", 4, 0, begins, 0);
    expect(ahead.isActive(500)).toBe(true);
    expect(ahead.isActive(1000)).toBe(false);
  });
});
