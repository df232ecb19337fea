import { describe, expect, it } from "vitest";
import type { Skeleton } from "@/lib/tree/skeleton";
import { sketch } from "@/testing/fake-sketch";
import { fakeParents, type TreeShape } from "@/testing/fake-tree";
import { int } from "./columns";
import { keptLanes, type Layout, layOut } from "./layout";
import { turnAt } from "./map-layout";
import { firstTurn, wholeTree } from "./strands";

const shapes: TreeShape[] = ["agent", "chat", "bushy", "comb"];

function earlier(parents: Int32Array, count: number): Skeleton {
  return sketch(parents.slice(0, count));
}

// Turns that another one hides, and forks that are not right of the strand they start at.
function flaws({ skeleton, strands, map }: Layout): number {
  let wrong = 0;
  for (let turn = 0; turn < skeleton.count; turn++) {
    const lane = int(map.lane, int(strands.of, turn));
    if (turnAt(strands, map, lane, int(strands.depth, turn)) !== turn) wrong++;
  }
  for (let strand = 1; strand < strands.count; strand++) {
    const fork = int(strands.fork, strand);
    const beside = fork < 0 ? 0 : int(map.lane, int(strands.of, fork));
    if (int(map.lane, strand) <= beside) wrong++;
  }
  return wrong;
}

describe.each(shapes)("the lanes of a tree like %s that grows", (shape) => {
  it.each([1, 2, 3])("stay where they were, seed %i", (seed) => {
    const parents = fakeParents(shape, 300, seed);
    let before = layOut(earlier(parents, 150));
    let moved = 0;
    let redone = 0;
    for (let count = 153; count <= 300; count += 3) {
      const next = earlier(parents, count);
      const kept = keptLanes(before, next);
      expect(kept).not.toBeNull();
      const after = layOut(next, wholeTree, kept);
      expect(flaws(after)).toBe(0);
      let differ = 0;
      for (let strand = 1; strand < before.strands.count; strand++) {
        const now = int(after.strands.of, firstTurn(before.strands, strand));
        if (int(after.map.lane, now) !== int(before.map.lane, strand)) differ++;
      }
      // All are placed again only where one has grown into another.
      if (differ > 0) redone++;
      moved += differ;
      before = after;
    }
    expect(redone).toBeLessThan(25);
    if (shape === "comb") expect(moved).toBe(0);
  });

  it("are kept while a tree grows, and not for a smaller one", () => {
    const parents = fakeParents("chain", 20);
    const before = layOut(earlier(parents, 10));
    expect(keptLanes(before, earlier(parents, 20))).not.toBeNull();
    expect(keptLanes(null, earlier(parents, 20))).toBeNull();
    expect(keptLanes(before, earlier(parents, 5))).toBeNull();
  });
});
