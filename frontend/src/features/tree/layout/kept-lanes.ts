// Lanes that do not drift: a tree that has only grown keeps those it had, and finds room for what is new.

import { int } from "./columns";
import { firstTurn, type Strands, strandLength } from "./strands";

/** More new strands than this are placed all again with the others. */
const mostNew = 200;

/** The strands of each lane, top down. */
type Stacks = number[][];

/**
 * Places strands in the lanes they had; `kept` is the first turn of a strand → its lane, -1 for none. Null where that is not
 * possible: one has grown into another, or too much is new. `order` is as map-layout wants it, the lowest strand first.
 */
export function keepLanes(
  strands: Strands,
  top: Int32Array,
  bottom: Int32Array,
  kept: Int32Array,
): { lane: Int32Array; order: Int32Array } | null {
  const lane = new Int32Array(strands.count).fill(-1);
  const byTop = sortByTop(strands, top);
  const stacks: Stacks = [];
  const fresh: number[] = [];
  for (const strand of byTop) {
    const was = laneBefore(strands, strand, kept);
    if (was < 0) {
      fresh.push(strand);
      if (fresh.length > mostNew) return null;
      continue;
    }
    const stack = stackOf(stacks, was);
    const above = stack.at(-1);
    if (above !== undefined && int(bottom, above) + 1 >= int(top, strand)) return null;
    stack.push(strand);
    lane[strand] = was;
  }
  // A strand comes after the one that it starts at, which therefore has a lane already: except for the path, the tops show it.
  for (const strand of fresh) if (!settle(strands, strand, top, bottom, lane, stacks)) return null;
  return { lane, order: byTop.reverse() };
}

function laneBefore(strands: Strands, strand: number, kept: Int32Array): number {
  if (strand === 0) return 0;
  return kept[firstTurn(strands, strand)] ?? -1;
}

// Gives a new strand the first lane right of the strand it starts at that has room for it.
function settle(
  strands: Strands,
  strand: number,
  top: Int32Array,
  bottom: Int32Array,
  lane: Int32Array,
  stacks: Stacks,
): boolean {
  const fork = int(strands.fork, strand);
  const beside = fork < 0 ? 0 : int(lane, int(strands.of, fork));
  if (beside < 0) return false;
  for (let at = beside + 1; ; at++) {
    const stack = stackOf(stacks, at);
    const place = firstBelow(stack, top, int(top, strand));
    const above = stack[place - 1];
    const below = stack[place];
    if (above !== undefined && int(bottom, above) + 1 >= int(top, strand)) continue;
    if (below !== undefined && int(bottom, strand) + 1 >= int(top, below)) continue;
    stack.splice(place, 0, strand);
    lane[strand] = at;
    return true;
  }
}

function stackOf(stacks: Stacks, lane: number): number[] {
  while (stacks.length <= lane) stacks.push([]);
  return stacks[lane] as number[];
}

// The place in a stack of the first strand that begins below a depth.
function firstBelow(stack: readonly number[], top: Int32Array, depth: number): number {
  let from = 0;
  let to = stack.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (int(top, stack[middle] as number) < depth) from = middle + 1;
    else to = middle;
  }
  return from;
}

// By depth of the first turn, in one pass over the depths; the path first, be it empty.
function sortByTop(strands: Strands, top: Int32Array): Int32Array {
  let depths = 0;
  for (const depth of top) depths = Math.max(depths, depth + 1);
  const next = new Int32Array(depths + 1);
  for (const depth of top) next[depth + 1] = int(next, depth + 1) + 1;
  for (let depth = 0; depth < depths; depth++)
    next[depth + 1] = int(next, depth + 1) + int(next, depth);
  const sorted = new Int32Array(strands.count);
  for (let strand = 0; strand < strands.count; strand++) {
    const depth = int(top, strand);
    sorted[int(next, depth)] = strand;
    next[depth] = int(next, depth) + 1;
  }
  return sorted;
}

/** First turn of a strand → its lane, to be kept in the layout of the tree when it has grown to so many turns; `nowOf` is what a turn is in that tree. */
export function lanesToKeep(
  strands: Strands,
  lane: Int32Array,
  turnCount: number,
  nowOf: (turn: number) => number,
): Int32Array {
  const kept = new Int32Array(turnCount).fill(-1);
  for (let strand = 1; strand < strands.count; strand++)
    if (strandLength(strands, strand) > 0)
      kept[nowOf(firstTurn(strands, strand))] = int(lane, strand);
  return kept;
}
