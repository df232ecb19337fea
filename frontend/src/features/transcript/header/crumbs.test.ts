import { expect, it } from "vitest";
import { emptySkeleton, type Tree } from "@/lib/tree/skeleton";
import { crumbsOf } from "./crumbs";

/** Turns with their parents and branches. */
function treeOf(turns: [parent: number, branch: number][], labels: [number, string][]): Tree {
  const skeleton = emptySkeleton(turns.length);
  turns.forEach(([parent, branch], turn) => {
    skeleton.parent[turn] = parent;
    skeleton.branch[turn] = branch;
  });
  return {
    sessionId: "s",
    skeleton,
    branchCount: 3,
    messageCount: 0,
    head: "",
    headTurn: 0,
    colors: new Map(),
    bookmarks: new Set(),
    checkpoints: new Map(),
    mainTurn: -1,
    inTrash: new Uint8Array(),
    labels: new Map(labels),
    reshapes: 0,
  };
}

const tree = treeOf(
  [
    [-1, 0],
    [0, 0],
    [1, 1],
    [2, 1],
    [3, 2],
  ],
  [[1, "plan"]],
);

it("names labels, the first turns of branches, and the turn itself", () => {
  expect(crumbsOf(tree, 4, 9).map(({ turn, label }) => label || turn)).toEqual(["plan", 2, 4]);
});

it("has no stop for the first turn, unless that has a label", () => {
  expect(crumbsOf(tree, 0, 9)).toEqual([]);
  const labelled = treeOf([[-1, 0]], [[0, "start"]]);
  expect(crumbsOf(labelled, 0, 9)).toEqual([{ turn: 0, label: "start" }]);
});

it("keeps the last ones of a long way, and has none for a turn that is not there", () => {
  expect(crumbsOf(tree, 4, 2).map(({ turn }) => turn)).toEqual([2, 4]);
  expect(crumbsOf(tree, 9, 2)).toEqual([]);
});
