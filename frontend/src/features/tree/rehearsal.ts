// An engine compiles what has run often, and what runs for the first time takes ten times as long. A large tree is laid out
// once, while a person waits for it: so the same is done before with small trees that nobody sees.

import { useEffect } from "react";
import { emptySkeleton, prompt, type Skeleton } from "@/lib/skeleton";
import { allOpen, noFolds } from "./folds";
import { layOut } from "./layout";
import { groundOf, modelOf } from "./outline-model";

/** So few turns that no step takes a part of a frame that shows, */
const turnCount = 1000;
/** and so many rounds that more of them change nothing, in V8. */
const rounds = 16;
/** What opens with the window opens first. */
const delayMs = 500;
/** Most of the time between two steps is left to the window. */
const pauseMs = 12;

/** Rehearses in the window what it does itself with a tree that is laid out. */
export function useRehearsal(): void {
  useEffect(() => startRehearsal(pauseMs), []);
}

/** Rehearses soon, with pauses in which the thread does other things; the returned function ends it. */
export function startRehearsal(pauseMs: number): () => void {
  const steps = rehearse();
  let timer = setTimeout(step, delayMs);
  function step() {
    if (!steps.next().done) timer = setTimeout(step, pauseMs);
  }
  return () => clearTimeout(timer);
}

/** Lays out a few trees of each kind, a step at a time. */
export function* rehearse(): Generator<void, void> {
  for (let round = 0; round < rounds; round++)
    for (const tree of [chains(), bush(), comb()]) {
      const leaf = tree.count - 1;
      const layout = layOut(tree, leaf);
      yield;
      const ground = groundOf(layout, "all", "oldest", [leaf]);
      yield;
      modelOf(ground, noFolds);
      yield;
      modelOf(ground, allOpen(tree.count));
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

/** A tree in which turn 0 begins and each other one hangs on a turn before it; the first to do so continues its branch. */
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
