// The path on screen, apart from the layout: viewing another branch changes weights and colors, and nothing moves.

import { parentOf, type Skeleton } from "@/lib/tree/skeleton";
import { int } from "./columns";
import { firstTurn, type Strands } from "./strands";

/** Strand → the depth of its last turn on the path on screen; -1 where the path does not run through it. */
export type PathEnds = Int32Array;

/** The path of a tree that nothing is on screen of. */
export const noPath: PathEnds = new Int32Array();

/** The path to a leaf, -1 for none. O(strands), and the turns of the path that are hidden. */
export function pathEndsOf(skeleton: Skeleton, strands: Strands, leaf: number): PathEnds {
  const ends = new Int32Array(strands.count).fill(-1);
  let at = leaf < skeleton.count ? leaf : -1;
  // What is in the trash is on no strand.
  while (at >= 0 && int(strands.of, at) < 0) at = parentOf(skeleton, at);
  while (at >= 0) {
    const strand = int(strands.of, at);
    ends[strand] = int(strands.depth, at);
    at = int(strands.fork, strand);
  }
  return ends;
}

/** Whether a turn is on the path. */
export function isOnPath(strands: Strands, ends: PathEnds, turn: number): boolean {
  const strand = turn < 0 ? -1 : int(strands.of, turn);
  return strand >= 0 && int(strands.depth, turn) <= int(ends, strand);
}

/** Whether the path enters a strand at all. */
export function isEntered(strands: Strands, ends: PathEnds, strand: number): boolean {
  return isOnPath(strands, ends, firstTurn(strands, strand));
}

/** What of a layout is needed to find where strands begin. */
type Tops = { top: Int32Array };

/** The strands that a path runs through, top down. O(strands). */
export function strandsOfPath({ top }: Tops, ends: PathEnds): Int32Array {
  const found: number[] = [];
  for (let strand = 0; strand < ends.length; strand++)
    if (int(ends, strand) >= 0) found.push(strand);
  return Int32Array.from(found.sort((a, b) => int(top, a) - int(top, b)));
}

/** Of the strands of a path those between two depths, and the next one. O(log strands + strands found). */
export function strandsBetween(
  { top }: Tops,
  ends: PathEnds,
  path: Int32Array,
  first: number,
  last: number,
): Int32Array {
  const place = (isBefore: (strand: number) => boolean) => {
    let [from, to] = [0, path.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (isBefore(int(path, middle))) from = middle + 1;
      else to = middle;
    }
    return from;
  };
  const from = place((strand) => int(ends, strand) < first);
  const to = place((strand) => int(top, strand) <= last);
  return path.subarray(from, to + 1);
}
