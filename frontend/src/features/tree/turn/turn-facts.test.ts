import { expect, it, vi } from "vitest";
import { emptySkeleton, type Tree } from "@/lib/tree/skeleton";
import { partOf, TurnFacts } from "./turn-facts";

function treeOf(messages: number[], reshapes = 0): Tree {
  const skeleton = { ...emptySkeleton(messages.length), messages: Int32Array.from(messages) };
  return { sessionId: "s", skeleton, reshapes } as Tree;
}

it("reads the turns in sight a portion at a time, and those that have grown again", async () => {
  const load = vi.fn(async (_: Tree, turns: readonly number[]) => turns.map((turn) => turn * 10));
  const facts = new TurnFacts(treeOf([2, 2, 2]), 2, load);
  facts.want([2, 2, 1, 0]);
  await vi.waitFor(() => expect(facts.get(0)).toBe(0));
  expect(load.mock.calls.map(([, turns]) => turns)).toEqual([[2, 1], [0]]);
  facts.want([2, 1, 0]);
  facts.setTree(treeOf([2, 2, 5]));
  expect(facts.get(2)).toBeUndefined();
  expect(facts.get(1)).toBe(10);
  facts.want([0, 1, 2]);
  await vi.waitFor(() => expect(facts.get(2)).toBe(20));
  expect(load.mock.calls.at(-1)?.[1]).toEqual([2]);
  facts.setTree(treeOf([2, 2, 5], 1));
  expect(facts.get(0)).toBeUndefined();
});

it("asks for a part of a divided turn by its depths", () => {
  const tree = treeOf([1, 3, 4]);
  tree.skeleton.number.set([0, 0, 1]);
  tree.skeleton.firstDepth.set([0, 1, 4]);
  expect([0, 1, 2].map((turn) => partOf(tree, turn))).toEqual([
    { turn: 0, from: 0, to: 0 },
    { turn: 0, from: 1, to: 3 },
    { turn: 1, from: -1, to: -1 },
  ]);
});
