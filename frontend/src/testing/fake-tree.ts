// Trees of turns of any size, the same for the same seed, for tests, pictures and measurements.

import { random } from "./fake-content";

/**
 * agent: long chains, 2 % chance to go back about 30 turns. chat: 10 %, about 10. bushy: any turn may
 * answer any other. chain: one path. comb: all alternatives of one turn.
 */
export type TreeShape = "agent" | "chat" | "bushy" | "chain" | "comb";

/** Turn → the turn before it, -1 for the first. */
export function fakeParents(shape: TreeShape, count: number, seed = 1): Int32Array {
  const next = random(seed);
  const parents = new Int32Array(count).fill(-1);
  let above = -1;
  for (let turn = 0; turn < count; turn++) {
    if (turn > 0) above = pickParent(shape, turn, parents, next);
    parents[turn] = above;
  }
  return parents;
}

function pickParent(
  shape: TreeShape,
  turn: number,
  parents: Int32Array,
  next: (below: number) => number,
): number {
  if (shape === "bushy") return next(turn);
  if (shape === "comb") return 0;
  if (shape === "chain") return turn - 1;
  const { chance, back } = shape === "agent" ? { chance: 2, back: 60 } : { chance: 10, back: 20 };
  let parent = turn - 1;
  if (next(100) >= chance) return parent;
  for (let steps = 1 + next(back); steps > 0 && (parents[parent] ?? -1) >= 0; steps--)
    parent = parents[parent] ?? 0;
  return parent;
}
