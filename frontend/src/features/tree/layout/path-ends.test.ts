import { describe, expect, it } from "vitest";
import { sketch } from "@/testing/fake-sketch";
import { int } from "./columns";
import { layOut } from "./layout";
import { pathEndsOf, strandsBetween, strandsOfPath } from "./path-ends";

describe("the strands of a path", () => {
  // A comb: each turn has two children, and the path takes the second one each time.
  const parents = [-1];
  for (let turn = 1; turn < 60; turn++)
    parents.push(turn % 2 === 1 ? turn - 1 : Math.max(0, turn - 2));
  const { skeleton, strands, map } = layOut(sketch(parents));

  it.each([[59], [58], [30], [1]])("are found by depth for the path to turn %i", (leaf) => {
    const ends = pathEndsOf(skeleton, strands, leaf);
    const path = strandsOfPath(map, ends);
    const overlap = (strand: number, first: number, last: number) =>
      int(map.top, strand) <= last && int(ends, strand) >= first;
    for (const [first, last] of [
      [0, 100],
      [5, 9],
      [20, 20],
      [90, 100],
    ] as const) {
      const found = strandsBetween(map, ends, path, first, last);
      const wanted = [...path].filter((strand) => overlap(strand, first, last));
      expect([...found].slice(0, wanted.length)).toEqual(wanted);
      expect(found.length - wanted.length).toBeLessThanOrEqual(1);
    }
    expect([...path].every((strand) => int(ends, strand) >= 0)).toBe(true);
  });
});
