import { describe, expect, it } from "vitest";
import { Heights } from "./heights";

/** The same by adding up. */
function slowTop(heights: Heights, index: number): number {
  let sum = 0;
  for (let row = 0; row < index; row++) sum += heights.of(row);
  return sum;
}

/** A small generator of the same numbers every time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe("Heights", () => {
  it("adds up as a plain sum does, whatever is set in whatever order", () => {
    for (let seed = 1; seed <= 30; seed++) {
      const next = numbers(seed);
      const length = 1 + next(300);
      const heights = new Heights(length, 1 + next(200));
      for (let change = 0; change < 200; change++)
        heights.set(next(length), next(4) === 0 ? 0 : next(2000) / 3);
      for (let index = 0; index <= length; index++)
        expect(heights.top(index)).toBeCloseTo(slowTop(heights, index), 5);
      expect(heights.total).toBeCloseTo(slowTop(heights, length), 5);
    }
  });

  it("finds the row that covers a place, never one without a height", () => {
    const next = numbers(7);
    for (let round = 0; round < 40; round++) {
      const length = 1 + next(100);
      const heights = new Heights(length, 50);
      for (let row = 0; row < length; row++) if (next(2)) heights.set(row, next(3) && next(300));
      if (heights.total === 0) continue;
      for (let probe = 0; probe < 60; probe++) {
        const place = next(Math.floor(heights.total * 100)) / 100;
        const row = heights.indexAt(place);
        expect(heights.top(row)).toBeLessThanOrEqual(place + 1e-6);
        expect(heights.top(row + 1)).toBeGreaterThan(place - 1e-6);
        expect(heights.of(row)).toBeGreaterThan(0);
      }
    }
  });

  it("answers with the ends for places outside", () => {
    const heights = new Heights(10, 20);
    expect(heights.indexAt(-1000)).toBe(0);
    expect(heights.indexAt(1e9)).toBe(9);
    expect(new Heights(0, 20).indexAt(5)).toBe(0);
  });

  it("keeps the shared rows for another path", () => {
    const heights = new Heights(10, 20);
    heights.set(2, 77);
    heights.set(7, 33);
    const other = heights.forPath(20, 5);
    expect([other.of(2), other.of(7), other.length]).toEqual([77, 20, 20]);
    expect(other.isKnown(7)).toBe(false);
  });
});
