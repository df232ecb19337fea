import { expect, test } from "vitest";
import { Column, theEnd } from "./column";

const view = 700;

/** A path of rows of 100 pixels that is followed, seen at its end. */
function followed(length = 40): Column {
  const column = new Column(length);
  column.resize(view);
  column.measure(new Map(Array.from({ length }, (_, row) => [row, 100])));
  column.goTo(theEnd);
  column.release();
  column.follow(true);
  return column;
}

const tailBottom = (column: Column, tail: number) => column.offsetOf(column.length) + tail;

test("who is at the end sees what is written there, however it grows", () => {
  const column = followed();
  for (let tail = 0; tail < 3000; tail += 37) {
    column.measure(new Map(), tail);
    expect(column.isAtEnd).toBe(true);
    expect(tailBottom(column, tail)).toBeCloseTo(view - 24);
  }
});

test("who reads above the end is left alone", () => {
  const column = followed();
  column.measure(new Map(), 500);
  column.scrolled(column.scrollTop - 60);
  const before = column.offsetOf(39);
  for (let tail = 500; tail < 3000; tail += 41) column.measure(new Map(), tail);
  expect(column.offsetOf(39)).toBeCloseTo(before);
  expect(column.isAtEnd).toBe(false);
});

test("who comes back to the end follows again", () => {
  const column = followed();
  column.measure(new Map(), 500);
  column.scrolled(column.scrollTop - 300);
  column.measure(new Map(), 600);
  column.scrolled(column.span - view);
  column.measure(new Map(), 900);
  expect(tailBottom(column, 900)).toBeCloseTo(view - 24);
});

test("without a run what grows at the end grows downwards", () => {
  const column = followed();
  column.follow(false);
  const before = column.offsetOf(39);
  column.measure(new Map([[39, 400]]));
  expect(column.offsetOf(39)).toBeCloseTo(before);
});

test.each([
  ["at the end", 0],
  ["a little above it", 120],
  ["in the middle of the answer", 900],
])("an answer becomes a message without a move, for who reads %s", (_, above) => {
  const tail = 2000;
  const column = followed();
  column.measure(new Map(), tail);
  if (above > 0) column.scrolled(column.scrollTop - above);
  const before = column.offsetOf(40);
  // The path has a row more; it is drawn and measured before anything is painted.
  column.replace(41, 40);
  column.measure(new Map(), 0);
  column.measure(new Map([[40, tail]]), 0);
  expect(column.offsetOf(40)).toBeCloseTo(before);
});

test("a message that turns out taller than its answer keeps the end in view", () => {
  const column = followed();
  column.measure(new Map(), 300);
  column.replace(41, 40);
  column.measure(new Map([[40, 340]]), 0);
  expect(column.isAtEnd).toBe(true);
});

test("the goal of the end is the end also when rows come", () => {
  const column = followed(3);
  column.goTo(theEnd);
  column.replace(60, 3);
  column.measure(new Map(Array.from({ length: 60 }, (_, row) => [row, 100])));
  expect(column.isAtEnd).toBe(true);
});

test("a path without rows has an end, too", () => {
  const column = new Column(0);
  column.resize(view);
  column.follow(true);
  column.goTo(theEnd);
  column.measure(new Map(), 900);
  expect(column.isAtEnd).toBe(true);
  column.replace(1, 0);
  column.measure(new Map([[0, 40]]), 900);
  expect(column.isAtEnd).toBe(true);
});

test("a view that gets smaller keeps its end", () => {
  const column = followed();
  column.resize(500);
  expect(column.isAtEnd).toBe(true);
});

test("who is at the end stays there when the browser moves a view that was higher for a moment", () => {
  const column = followed();
  // A card went, and the browser moved the view; then another bar came. Nothing was measured in between.
  column.found(view - 20, column.scrollTop - 60);
  column.measure(new Map(), 300);
  expect(column.isAtEnd).toBe(true);
  expect(column.offsetOf(40) + 300).toBeCloseTo(view - 20 - 24);
});

test("who scrolls up while the view changes its height is left alone", () => {
  const column = followed();
  column.scrolled(column.scrollTop - 200);
  const before = column.offsetOf(35);
  column.found(view - 20, column.scrollTop - 60);
  column.measure(new Map(), 300);
  expect(column.offsetOf(35)).toBeCloseTo(before + 60);
  expect(column.isAtEnd).toBe(false);
});

test("a path that fits is followed when the view gets lower than it", () => {
  const column = followed(3);
  column.resize(200);
  column.measure(new Map(), 50);
  expect(column.isAtEnd).toBe(true);
  expect(tailBottom(column, 50)).toBeCloseTo(200 - 24);
});

test("a path that fits and is only read stays at its beginning", () => {
  const column = followed(3);
  column.follow(false);
  column.resize(200);
  expect(column.place).toBe(0);
});
