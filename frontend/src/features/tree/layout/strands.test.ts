import { describe, expect, it } from "vitest";
import { parentOf } from "@/lib/tree/skeleton";
import { sketch } from "@/testing/fake-sketch";
import { fakeParents, type TreeShape } from "@/testing/fake-tree";
import { int } from "./columns";
import {
  childrenOf,
  firstTurn,
  forkCount,
  lastTurn,
  nextOnStrand,
  olderSiblingsOf,
  placeOf,
  siblingsOf,
  strandsOf,
} from "./strands";

const shapes: TreeShape[] = ["agent", "chat", "bushy", "chain", "comb"];

describe.each(shapes)("strands of a tree like %s", (shape) => {
  const skeleton = sketch(fakeParents(shape, 600, 7));

  it("take every turn once", () => {
    const strands = strandsOf(skeleton);
    expect([...strands.turns].sort((a, b) => a - b)).toEqual([...Array(600).keys()]);
    for (let strand = 0; strand < strands.count; strand++) {
      const turns = [
        ...strands.turns.subarray(int(strands.start, strand), int(strands.start, strand + 1)),
      ];
      if (strand > 0) expect(turns.length).toBeGreaterThan(0);
      turns.forEach((turn, index) => {
        expect(int(strands.of, turn)).toBe(strand);
        expect(placeOf(strands, turn)).toBe(int(strands.start, strand) + index);
        const above = index === 0 ? int(strands.fork, strand) : (turns[index - 1] as number);
        expect(parentOf(skeleton, turn)).toBe(above);
        expect(nextOnStrand(strands, turn)).toBe(turns[index + 1] ?? -1);
      });
    }
  });

  it("have the branch of the first root as strand 0", () => {
    const strands = strandsOf(skeleton);
    expect(firstTurn(strands, 0)).toBe(0);
    for (let turn = 0; turn < 600; turn++)
      expect(int(strands.of, turn) === 0).toBe(skeleton.branch[turn] === skeleton.branch[0]);
    expect(nextOnStrand(strands, lastTurn(strands, 0))).toBe(-1);
  });

  it("give the children, alternatives and sizes of the tree itself", () => {
    const strands = strandsOf(skeleton);
    const children = new Map<number, number[]>();
    const size = new Array<number>(600).fill(1);
    for (let turn = 599; turn >= 0; turn--) {
      const parent = parentOf(skeleton, turn);
      children.set(parent, [turn, ...(children.get(parent) ?? [])]);
      if (parent >= 0) size[parent] = (size[parent] ?? 0) + (size[turn] ?? 0);
    }
    for (let turn = 0; turn < 600; turn++) {
      const siblings = children.get(parentOf(skeleton, turn)) ?? [];
      expect(childrenOf(strands, turn)).toEqual(children.get(turn) ?? []);
      expect(siblingsOf(skeleton, strands, turn)).toEqual(siblings);
      const older = siblings.slice(0, siblings.indexOf(turn)).reverse();
      for (const most of [1, 3, 600])
        expect(olderSiblingsOf(skeleton, strands, turn, most)).toEqual(older.slice(0, most));
      expect(int(strands.alternatives, turn)).toBe(siblings.length);
      expect(int(strands.position, turn)).toBe(siblings.indexOf(turn));
      expect(int(strands.size, turn)).toBe(size[turn]);
    }
  });
});

describe("strands", () => {
  it("of an empty tree are an empty trunk", () => {
    const strands = strandsOf(sketch([]));
    expect(strands.count).toBe(1);
    expect(firstTurn(strands, 0)).toBe(-1);
    expect(strands.roots).toEqual([]);
  });

  it("do not split a branch where the path on screen leaves it", () => {
    // n0 n1 n2 are branch 0; n3 is a child of n1.
    const strands = strandsOf(sketch([-1, 0, 1, 1]));
    expect([...strands.of]).toEqual([0, 0, 0, 1]);
    expect(forkCount(strands, 1)).toBe(1);
  });

  it("stay chains when the source has two turns continue one", () => {
    const skeleton = { ...sketch([-1, 0, 1, 1]), branch: Int32Array.of(0, 0, 0, 0) };
    expect([...strandsOf(skeleton).of]).toEqual([0, 0, 0, 1]);
  });

  it("end in a tree whose parents run in circles", () => {
    const strands = strandsOf(sketch([2, 0, 1, 3]));
    expect([...strands.depth]).toEqual([0, 1, 2, 0]);
  });

  it("of a chain of 100,000 and of 10,000 alternatives need no stack", () => {
    expect(strandsOf(sketch(fakeParents("chain", 100_000))).count).toBe(1);
    const comb = strandsOf(sketch(fakeParents("comb", 10_000)));
    expect(forkCount(comb, 0)).toBe(9_998);
    expect(int(comb.size, 0)).toBe(10_000);
  });
});

describe("the part below a turn", () => {
  // n0 ─ n1 ─ n3 ─ n4, n1 ─ n5, n0 ─ n2
  const parents = [-1, 0, 0, 1, 3, 1];

  it("has that turn for its root, and nothing from elsewhere", () => {
    const strands = strandsOf(sketch(parents), 1);
    expect([...strands.of]).toEqual([-1, 0, -1, 0, 0, 1]);
    expect([...strands.depth]).toEqual([0, 0, 0, 1, 2, 1]);
    expect(siblingsOf(sketch(parents), strands, 1)).toEqual([1]);
    expect(siblingsOf(sketch(parents), strands, 3)).toEqual([3, 5]);
  });
});
