// What was found in a tree: shown where it is folded away, and folded back when the search is over.

import { byte, int } from "../layout/columns";
import { type Folds, hidesRest, isFoldable, isFolded } from "../layout/folds";
import type { OutlineGround } from "../layout/outline-model";
import type { Rows } from "../layout/rows";
import { placeOf } from "../layout/strands";

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
  const reach = reachOf(ground, hits);
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
      if (int(reach, fork) === 0) hidden[fork] = 1;
    }
  };
  for (let strand = 0; strand < strands.count; strand++) {
    const end = int(reach, strand);
    if (end === 0) continue;
    for (let place = int(strands.start, strand); place < end - 1; place++) {
      const turn = int(strands.turns, place);
      if (chosen.get(turn) !== false && hidesRest({ strands, folds, rule }, turn)) open(turn);
    }
    const fork = int(strands.fork, strand);
    if (fork >= 0) open(fork);
  }
  return { folds: { ...folds, chosen, opened }, hidden };
}

// Strand → the place after its last turn that is a hit or forks to hits; 0 for one without hits.
function reachOf({ strands }: OutlineGround, hits: Uint8Array): Int32Array {
  const reach = new Int32Array(strands.count);
  // Forks have greater numbers than the strands they start at.
  for (let strand = strands.count - 1; strand >= 0; strand--) {
    const from = int(strands.start, strand);
    for (let place = int(strands.start, strand + 1) - 1; place >= from; place--) {
      if (place < int(reach, strand)) break;
      if (byte(hits, int(strands.turns, place))) reach[strand] = place + 1;
    }
    const fork = int(strands.fork, strand);
    if (int(reach, strand) === 0 || fork < 0) continue;
    const above = int(strands.of, fork);
    reach[above] = Math.max(int(reach, above), placeOf(strands, fork) + 1);
  }
  return reach;
}

/** The hits in the order in which the outline lists them. */
export function hitsInOrder({ turn, chain, count }: Rows, hits: Uint8Array): Int32Array {
  const found: number[] = [];
  for (let row = 0; row < count; row++)
    if (int(chain, row) === 0 && byte(hits, int(turn, row))) found.push(int(turn, row));
  return Int32Array.from(found);
}
