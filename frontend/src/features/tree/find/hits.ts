// What was found in a tree: shown where it is folded away, and folded back when the search is over.

import { byte, int } from "../layout/columns";
import { type Folds, isFoldable, isFolded } from "../layout/folds";
import type { OutlineGround } from "../layout/outline-model";
import type { Rows } from "../layout/rows";
import { firstTurn, isStrandStart } from "../layout/strands";

/** Folds under which all hits show, and what a turn opened for them must not show beside them. */
export interface OpenedHits {
  folds: Folds;
  /** Strand → 1 if it starts at a turn that was unfolded for hits, and has no hit. */
  hidden: Uint8Array;
}

/**
 * Unfolds the branches that hits are in, and only those: other forks of a turn that was folded stay out of
 * sight. `hits` is turn → 1. O(turns), no recursion.
 */
export function openHits(ground: OutlineGround, folds: Folds, hits: Uint8Array): OpenedHits {
  const { skeleton, strands, rule } = ground;
  const holds = strandsWithHits(ground, hits);
  const opened = new Uint8Array(skeleton.count);
  opened.set(folds.opened.subarray(0, skeleton.count));
  for (let turn = 0; turn < skeleton.count; turn++) if (byte(hits, turn)) opened[turn] = 1;
  const chosen = new Map(folds.chosen);
  const hidden = new Uint8Array(strands.count);
  const open = (turn: number) => {
    if (!isFoldable(strands, turn) || !isFolded(folds, rule, turn)) return;
    chosen.set(turn, false);
    for (let at = int(strands.forkStart, turn); at < int(strands.forkStart, turn + 1); at++) {
      const fork = int(strands.forks, at);
      if (!byte(holds, fork)) hidden[fork] = 1;
    }
  };
  for (let strand = 1; strand < strands.count; strand++) {
    if (!byte(holds, strand)) continue;
    const first = firstTurn(strands, strand);
    const fork = int(strands.fork, strand);
    if (fork >= 0 && !isStrandStart(strands, fork)) open(fork);
    if (byte(holds, strand) === beyondFirst) open(first);
  }
  return { folds: { ...folds, chosen, opened }, hidden };
}

/** A strand whose hits are not only in its first turn, or that forks to hits. */
const beyondFirst = 2;

// Strand → 0 for one without hits, 1 where only its first turn is one, 2 for more.
function strandsWithHits({ strands }: OutlineGround, hits: Uint8Array): Uint8Array {
  const holds = new Uint8Array(strands.count);
  // Forks have greater numbers than the strands they start at, except those of the path.
  for (let strand = strands.count - 1; strand >= 0; strand--) {
    const from = int(strands.start, strand);
    const to = int(strands.start, strand + 1);
    for (let place = from; place < to; place++)
      if (byte(hits, int(strands.turns, place)))
        holds[strand] = Math.max(byte(holds, strand), place === from ? 1 : beyondFirst);
    const fork = int(strands.fork, strand);
    if (byte(holds, strand) && fork >= 0) holds[int(strands.of, fork)] = beyondFirst;
  }
  return holds;
}

/** The hits in the order in which the outline lists them. */
export function hitsInOrder({ turn, chain, count }: Rows, hits: Uint8Array): Int32Array {
  const found: number[] = [];
  for (let row = 0; row < count; row++)
    if (int(chain, row) === 0 && byte(hits, int(turn, row))) found.push(int(turn, row));
  return Int32Array.from(found);
}
