import { describe, expect, it } from "vitest";
import { PathTurns } from "./path-turns";

describe("PathTurns", () => {
  const turns = new PathTurns([0, 1, 3], [2, 41, 1]);

  it("adds up numbers and starts", () => {
    expect(turns.numbers).toEqual([0, 1, 4]);
    expect([0, 1, 2, 3].map((place) => turns.start(place))).toEqual([0, 2, 43, 44]);
    expect(turns.count(1)).toBe(41);
  });

  it.each([
    [0, 0],
    [1, 0],
    [2, 1],
    [42, 1],
    [43, 2],
    [999, 2],
  ])("finds the turn of depth %i", (depth, place) => {
    expect(turns.at(depth)).toBe(place);
  });

  it("has no turn on an empty path", () => {
    expect(new PathTurns([], []).at(0)).toBe(-1);
  });

  it("shares the turns before two paths part, or before one has grown", () => {
    expect(turns.shared(new PathTurns([0, 1, 3], [2, 41, 5]))).toBe(2);
    expect(turns.shared(new PathTurns([0, 2], [2, 3]))).toBe(1);
    expect(turns.shared(turns)).toBe(3);
  });
});
