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

  it("moves to the next match with the same letter, from the start after the end", () => {
    const type = typing();
    expect(type("k", 0, 0)).toBe(1);
    expect(type("k", 1, 100)).toBe(3);
    expect(type("k", 3, 200)).toBe(0);
  });

  it("starts a new word after a pause, and returns -1 if nothing matches", () => {
    const type = typing();
    expect(type("k", 0, 0)).toBe(1);
    expect(type("m", 1, 2000)).toBe(2);
    expect(type("x", 2, 4000)).toBe(-1);
  });

  it("reports that a word is being typed until the pause", () => {
    const ahead = new TypeAhead();
    expect(ahead.isActive(0)).toBe(false);
    ahead.type("k", 4, 0, begins, 0);
    expect(ahead.isActive(500)).toBe(true);
    expect(ahead.isActive(1000)).toBe(false);
  });

  it("takes a space as part of the word", () => {
    const titles = ["Auth", "Bisect", "auth again"];
    const ahead = new TypeAhead();
    const type = (letter: string, ms: number) =>
      ahead.type(
        letter,
        3,
        0,
        (at, word) => titles[at]?.toLowerCase().startsWith(word) ?? false,
        ms,
      );
    for (const letter of "auth") type(letter, 100);
    expect(type(" ", 300)).toBe(2);
  });
});
