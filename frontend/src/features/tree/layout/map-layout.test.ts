import { describe, expect, it } from "vitest";
import { parentOf } from "@/lib/tree/skeleton";
import { sketch } from "@/testing/fake-sketch";
import { fakeParents, type TreeShape } from "@/testing/fake-tree";
import { int } from "./columns";
import { firstForking, layOutMap, turnAt } from "./map-layout";
import { strandsOf } from "./strands";

const shapes: TreeShape[] = ["agent", "chat", "bushy", "chain", "comb"];

// Turns that share a place, and forks that are not right of the strand they start at.
function flaws(parents: Int32Array) {
  const skeleton = sketch(parents);
  const strands = strandsOf(skeleton);
  const layout = layOutMap(strands);
  const taken = new Set<number>();
  let shared = 0;
  let left = 0;
  let lost = 0;
  for (let turn = 0; turn < skeleton.count; turn++) {
    const lane = int(layout.lane, int(strands.of, turn));
    const depth = int(strands.depth, turn);
    const spot = depth * layout.lanes + lane;
    if (taken.has(spot)) shared++;
    taken.add(spot);
    if (turnAt(strands, layout, lane, depth) !== turn) lost++;
    const above = parentOf(skeleton, turn);
    if (above < 0) continue;
    const aboveLane = int(layout.lane, int(strands.of, above));
    const same = int(strands.of, above) === int(strands.of, turn);
    if (same ? lane !== aboveLane : lane <= aboveLane) left++;
    if (int(strands.depth, above) !== depth - 1) left++;
  }
  return { shared, left, lost };
}

describe.each(shapes)("the map of a tree like %s", (shape) => {
  it.each([1, 2, 3])("gives each turn its place, seed %i", (seed) => {
    expect(flaws(fakeParents(shape, 500, seed))).toEqual({ shared: 0, left: 0, lost: 0 });
  });

  it("of 100,000 turns keeps its rules and needs no stack", () => {
    expect(flaws(fakeParents(shape, 100_000))).toEqual({ shared: 0, left: 0, lost: 0 });
  });

  it("has the trunk alone in lane 0, and forks by depth", () => {
    const strands = strandsOf(sketch(fakeParents(shape, 500, 4)));
    const layout = layOutMap(strands);
    expect([...layout.lane].indexOf(0)).toBe(0);
    expect([...layout.lane].lastIndexOf(0)).toBe(0);
    const depths = [...layout.forking].map((turn) => int(strands.depth, turn));
    expect(depths).toEqual([...depths].sort((a, b) => a - b));
    for (const depth of [0, 3, 100, 500])
      expect(firstForking(strands, layout, depth)).toBe(depths.filter((at) => at < depth).length);
    layout.forking.forEach((turn, place) => {
      const forks = strands.forks.subarray(
        int(strands.forkStart, turn),
        int(strands.forkStart, turn + 1),
      );
      expect(int(layout.reach, place)).toBe(
        Math.max(...[...forks].map((fork) => int(layout.lane, fork))),
      );
    });
  });

  it("is the same each time", () => {
    const strands = strandsOf(sketch(fakeParents(shape, 500, 4)));
    expect(layOutMap(strands)).toEqual(layOutMap(strands));
  });
});

describe("the map", () => {
  it("puts strands into one lane that do not stand beside each other", () => {
    // The path n0 to n9; forks of one turn each on n1 and n6.
    const strands = strandsOf(sketch([-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 6]));
    expect(layOutMap(strands).lanes).toBe(2);
  });

  it("puts a fork outside of what hangs deeper", () => {
    // The fork n3 of n0 is longer than the path; n6 is a child of n1.
    const strands = strandsOf(sketch([-1, 0, 1, 0, 3, 4, 1]));
    const { lane } = layOutMap(strands);
    expect(int(lane, int(strands.of, 6))).toBe(1);
    expect(int(lane, int(strands.of, 3))).toBe(2);
  });

  it("finds nothing where nothing is", () => {
    const strands = strandsOf(sketch([-1, 0, 0]));
    const layout = layOutMap(strands);
    expect(turnAt(strands, layout, 1, 0)).toBe(-1);
    expect(turnAt(strands, layout, 0, 2)).toBe(-1);
    expect(turnAt(strands, layout, 9, 0)).toBe(-1);
    expect(turnAt(strands, layout, -1, 0)).toBe(-1);
  });

  it("of an empty tree is empty", () => {
    expect(layOutMap(strandsOf(sketch([]))).depths).toBe(0);
  });
});
