import { expect, test } from "vitest";
import { sketch } from "@/testing/fake-sketch";
import { pathEndsOf } from "../layout/path-ends";
import { strandsOf } from "../layout/strands";
import { barsOf, isNearlyLinear, mostBars } from "./timeline-bars";

const barsTo = (parents: number[], leaf: number) => {
  const skeleton = sketch(parents);
  const strands = strandsOf(skeleton);
  return barsOf(skeleton, strands, pathEndsOf(skeleton, strands, leaf));
};

test("bars are the turns of the path, and count the branches that leave it", () => {
  // 0 – 1 – 2 – 3, with 4 and 5 beside 2, and 6 below 4.
  const parents = [-1, 0, 1, 2, 1, 1, 4];
  const along = (leaf: number) => barsTo(parents, leaf).map(({ turn, forks }) => [turn, forks]);
  expect(along(3)).toEqual([
    [0, 0],
    [1, 2],
    [2, 0],
    [3, 0],
  ]);
  expect(along(6)).toEqual([
    [0, 0],
    [1, 2],
    [4, 0],
    [6, 0],
  ]);
  expect(along(-1)).toEqual([]);
});

test("the parts of a divided turn are one bar", () => {
  const skeleton = sketch([-1, 0, 0, 1]);
  skeleton.number.set([0, 0, 1, 2]);
  const strands = strandsOf(skeleton);
  const bars = barsOf(skeleton, strands, pathEndsOf(skeleton, strands, 3));
  expect(bars).toEqual([
    { turn: 0, parts: [0, 1], forks: 1 },
    { turn: 3, parts: [3], forks: 0 },
  ]);
});

test("a path that is too long shows its last turns", () => {
  const chain = Array.from({ length: 20_000 }, (_, turn) => turn - 1);
  const bars = barsTo(chain, 19_999);
  expect(bars).toHaveLength(mostBars);
  expect(bars.at(-1)?.turn).toBe(19_999);
});

test("a tree with one branch beside the trunk is nearly linear, one with two is not", () => {
  expect(isNearlyLinear(strandsOf(sketch([-1, 0, 1])))).toBe(true);
  expect(isNearlyLinear(strandsOf(sketch([-1, 0, 1, 1])))).toBe(true);
  expect(isNearlyLinear(strandsOf(sketch([-1, 0, 1, 1, 1])))).toBe(false);
});
