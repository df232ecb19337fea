// An engine compiles what has run often, and what runs for the first time takes ten times as long. A large tree is laid out
// once, while the user waits for it: so the same is done before with small trees that are never shown.

import { emptySkeleton, prompt, type Skeleton } from "@/lib/tree/skeleton";
import { freshOutline } from "./fresh-outline";
import { layOutMap } from "./map-layout";
import { shapeOf, strandsOf } from "./strands";

/** So few turns that no step takes a part of a frame, */
const turnCount = 1000;
/** and so many rounds that more of them change little, in V8 and in JavaScriptCore. */
const rounds = 48;
/** What opens with the window opens first. */
const delayMs = 500;

/** Warms up soon, with pauses in which the thread does what it is asked; the returned function ends it. */
export function startWarmUp(): () => void {
  const steps = warmUp();
  let timer = setTimeout(step, delayMs);
  function step() {
    if (!steps.next().done) timer = setTimeout(step);
  }
  return () => clearTimeout(timer);
}

/** Lays out a few trees of each kind, a tree at a time. */
export function* warmUp(): Generator<void, void> {
  const trees = [chains(), bush(), comb()];
  for (let round = 0; round < rounds; round++)
    for (const tree of trees) {
      const leaf = tree.count - 1;
      const shape = shapeOf(tree);
      const strands = strandsOf(shape);
      layOutMap(strands);
      freshOutline(shape, strands, { filter: "all", order: "oldest", pinned: [leaf] });
      yield;
    }
}

/** Long chains with few forks. */
function chains(): Skeleton {
  return treeOf((turn) => (turn % 40 === 0 ? turn - 1 - (turn % 23) : turn - 1));
}

/** Forks everywhere. */
function bush(): Skeleton {
  return treeOf((turn) => Math.floor(turn * ((turn * 0.618) % 1)));
}

/** All on one turn. */
function comb(): Skeleton {
  return treeOf(() => 0);
}

/** A tree in which turn 0 is the root and each other turn is a child of an earlier one; the first child continues its branch. */
function treeOf(parentOf: (turn: number) => number): Skeleton {
  const tree = emptySkeleton(turnCount);
  const isContinued = new Uint8Array(turnCount);
  let branches = 1;
  tree.parent[0] = -1;
  tree.flags.fill(prompt);
  for (let turn = 1; turn < turnCount; turn++) {
    const parent = parentOf(turn);
    tree.parent[turn] = parent;
    tree.branch[turn] = isContinued[parent] ? branches++ : (tree.branch[parent] as number);
    tree.createdAtMs[turn] = turn;
    isContinued[parent] = 1;
  }
  return tree;
}
