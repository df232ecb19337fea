import { describe, expect, it } from "vitest";
import { Column, estimatedHeight } from "./column";

const view = 700;

function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A column in a view, and the true heights of its rows. */
function make(length: number, seed: number) {
  const column = new Column(length);
  column.resize(view);
  const next = numbers(seed);
  const truth = Array.from({ length: Math.min(length, 20_000) }, () =>
    next(5) === 0 ? 0 : 20 + next(next(10) === 0 ? 4000 : 400),
  );
  const heightOf = (row: number) => truth[row % truth.length] ?? 0;
  const draw = () => {
    // As the window does: measuring brings other rows into the range, until it stays.
    for (let round = 0; round < 20; round++) {
      const { first, last } = column.range(900);
      const unknown = [];
      for (let row = first; row <= last; row++) if (!column.isKnown(row)) unknown.push(row);
      if (unknown.length === 0) return;
      column.measure(new Map(unknown.map((row) => [row, heightOf(row)])));
    }
  };
  return { column, next, heightOf, draw };
}

/** The rows on screen that are known, with the distance of their tops from the top of the view. */
function seen(column: Column): Map<number, number> {
  const rows = new Map<number, number>();
  const { last } = column.range(0);
  for (let row = column.firstVisible; row <= last; row++)
    if (column.isKnown(row)) rows.set(row, column.offsetOf(row));
  return rows;
}

describe("Column", () => {
  it("reads the row that was brought to the top, not the margin of the one above", () => {
    const column = new Column(400);
    column.resize(view);
    for (const index of [0, 1, 57, 200]) {
      column.goTo({ index, align: "start" });
      column.measure(new Map([[index, 60 + index]]));
      expect(column.firstRead).toBe(index);
      // A browser rounds the position.
      column.moved(column.scrollTop - 0.4);
      expect(column.firstRead).toBe(index);
    }
  });

  it("never moves the first known row on screen while heights come in any order", () => {
    for (let seed = 1; seed <= 60; seed++) {
      const { column, next, heightOf, draw } = make(400, seed);
      column.goTo({ index: next(400), align: "start" });
      draw();
      column.release();
      for (let step = 0; step < 60; step++) {
        const before = [...seen(column)].find(([row]) => heightOf(row) > 0);
        const somewhere = new Map<number, number>();
        for (let many = next(6); many >= 0; many--) {
          const row = next(400);
          // What is on screen has its height already; the rest comes as it likes.
          if (!column.isKnown(row)) somewhere.set(row, heightOf(row));
        }
        column.measure(somewhere);
        if (before) expect(column.offsetOf(before[0])).toBeCloseTo(before[1], 4);
        const top = column.scrollTop + next(400) - 200;
        column.scrolled(Math.max(0, Math.min(top, column.span - view)));
        column.release();
        draw();
      }
    }
  });

  it("scrolls by what the wheel says, whatever is measured on the way", () => {
    for (let seed = 1; seed <= 40; seed++) {
      const { column, next, draw } = make(300, seed);
      column.goTo({ index: 150, align: "start" });
      draw();
      column.release();
      for (let step = 0; step < 80; step++) {
        const [row, offset] = [...seen(column)].find(([row]) => column.offsetOf(row) >= 0) ?? [];
        const by = next(240) - 120;
        const wanted = column.scrollTop + by;
        if (wanted < 0 || wanted > column.span - view) continue;
        const inside = column.place + by > 0 && column.place + by < column.span - view - 2000;
        column.scrolled(wanted);
        draw();
        if (row !== undefined && offset !== undefined && inside)
          expect(column.offsetOf(row)).toBeCloseTo(offset - by, 4);
      }
    }
  });

  it("moves nothing when the scroll bar is put right", () => {
    for (const length of [5, 300, 100_000, 1_000_000]) {
      const { column, next, draw } = make(length, length);
      for (let step = 0; step < 30; step++) {
        column.scrolled(next(Math.max(1, Math.floor(column.span - view))));
        draw();
        const before = seen(column);
        column.settle();
        for (const [row, offset] of before) expect(column.offsetOf(row)).toBeCloseTo(offset, 3);
        expect(column.scrollTop).toBeGreaterThanOrEqual(0);
        expect(column.scrollTop).toBeLessThanOrEqual(Math.max(0, column.span - view) + 1e-6);
      }
    }
  });

  it("reaches both ends of a path of a million messages on a box that engines can lay out", () => {
    const { column, draw } = make(1_000_000, 3);
    expect(column.span).toBeLessThanOrEqual(8_000_000);
    column.scrolled(column.span - view);
    draw();
    column.settle();
    expect(column.range(0).last).toBe(999_999);
    column.scrolled(0);
    draw();
    expect(column.firstVisible).toBe(0);
    expect(column.offsetOf(0)).toBeCloseTo(12, 4);
  });

  it("takes a far scroll for a place on the scale, and a near one for a distance", () => {
    const { column } = make(1_000_000, 4);
    expect(column.scrolled(column.span / 2)).toBe(true);
    expect(Math.abs(column.firstVisible - 500_000)).toBeLessThan(2000);
    const at = column.place;
    expect(column.scrolled(column.scrollTop + 100)).toBe(false);
    expect(column.place).toBeCloseTo(at + 100, 4);
  });

  it("can be scrolled by the wheel up to the first row, though all above was guessed wrong", () => {
    const { column, draw } = make(200, 9);
    column.goTo({ index: 100, align: "start" });
    draw();
    column.release();
    for (let turn = 0; turn < 2000 && column.place > 0; turn++) {
      column.scrolled(Math.max(0, column.scrollTop - 120));
      draw();
    }
    expect(column.firstVisible).toBe(0);
    expect(column.offsetOf(0)).toBeCloseTo(12, 4);
    expect(column.scrollTop).toBeCloseTo(0, 4);
  });

  it("brings a row to where it was asked for, and keeps it there while rows come", () => {
    const { column, heightOf, draw } = make(500, 12);
    const index = Array.from({ length: 500 }, (_, row) => row).find(
      (row) => row > 200 && heightOf(row) > 30 && heightOf(row) < 300,
    );
    if (index === undefined) throw new Error("no row of that height");
    column.goTo({ index, align: "center" });
    draw();
    expect(column.offsetOf(index) + heightOf(index) / 2).toBeCloseTo(view / 2, 4);
    column.goTo({ index: 499, align: "end" });
    draw();
    expect(column.place).toBeCloseTo(column.span - view, 4);
    column.goTo({ index, align: -40 });
    draw();
    expect(column.offsetOf(index)).toBeCloseTo(-40, 4);
  });

  it("does not scroll for a row that is on screen", () => {
    const { column, draw } = make(50, 5);
    draw();
    const next = [...seen(column).keys()].find((row) => column.offsetOf(row) > 20) ?? 0;
    column.goTo({ index: next, align: "nearest" });
    expect(column.place).toBe(0);
  });

  it("keeps what is shared on screen when the path changes below it", () => {
    const { column, draw } = make(300, 21);
    column.goTo({ index: 100, align: "start" });
    draw();
    column.release();
    const rows = [...seen(column)];
    const fork = (rows[1]?.[0] ?? 0) + 1;
    column.replace(900, fork);
    draw();
    for (const [row, offset] of rows)
      if (row < fork) expect(column.offsetOf(row)).toBeCloseTo(offset, 4);
    expect(column.offsetOf(fork)).toBeCloseTo(
      column.offsetOf(fork - 1) + column.spotOf(fork) - column.spotOf(fork - 1),
      4,
    );
  });

  it("shows the end of a path that got shorter than where one was", () => {
    const { column, draw } = make(300, 22);
    column.goTo({ index: 299, align: "end" });
    draw();
    column.replace(3, 3);
    draw();
    expect(column.range(0)).toEqual({ first: 0, last: 2 });
    expect(column.place).toBeGreaterThanOrEqual(0);
  });

  it("draws rows of any height in a few rounds, and not many more than are wanted", () => {
    for (const height of [0, 12, 28, 40, 96, 400, 3000]) {
      const column = new Column(1000);
      column.resize(view);
      let rounds = 0;
      for (; ; rounds++) {
        const { first, last } = column.range(900);
        const rows = Array.from({ length: last - first + 1 }, (_, at) => first + at);
        const unknown = rows.filter((row) => !column.isKnown(row));
        if (unknown.length === 0) break;
        column.measure(new Map(unknown.map((row) => [row, height])));
      }
      const { first, last } = column.range(900);
      expect((last - first + 1) * height).toBeLessThan(view + 900 + 34 * height);
      if (height >= 24) expect(rounds).toBeLessThanOrEqual(3);
    }
  });

  it("stands an empty path", () => {
    const column = new Column(0);
    column.resize(view);
    column.scrolled(50);
    column.settle();
    expect(column.place).toBe(0);
    expect(column.span).toBe(36);
    column.replace(1, 0);
    column.measure(new Map([[0, estimatedHeight * 2]]));
    expect(column.spotOf(0)).toBe(12);
  });
});
