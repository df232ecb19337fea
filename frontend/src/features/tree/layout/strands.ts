// A tree of turns taken apart into strands, one for each branch. A strand is a chain, so it is one line on screen; only
// strands fork. Everything that draws a tree starts from them. They depend on the tree alone, not on what of it is on
// screen, so nothing moves when another branch is viewed. O(turns), no recursion.

import { parentOf, type Skeleton } from "@/lib/tree/skeleton";
import { byte, groupMembers, groupStarts, int } from "./columns";

/** The strands of a tree; strand 0 is the trunk: the branch of the first root, or of the turn that the tree is shown below. Strand → … columns have one entry per strand. */
export interface Strands {
  count: number;
  /** Turn → its strand; -1 where it is hidden. */
  of: Int32Array;
  /** Turn → turns above it. */
  depth: Int32Array;
  /** Turn → turns in the subtree below it, itself included. */
  size: Int32Array;
  /** Turn → its place among the alternatives, the turns with the same parent, from 0. */
  position: Int32Array;
  /** Turn → alternatives, itself included. */
  alternatives: Int32Array;
  /** Strand → where its turns begin in `turns`; one entry more than strands. */
  start: Int32Array;
  /** The turns of strand 0, top down, then those of strand 1 … */
  turns: Int32Array;
  /** Strand → the turn it starts at; -1 if it begins at a root. */
  fork: Int32Array;
  /** Turn → the index in `forks` of the strands that start at it; one entry more than turns. */
  forkStart: Int32Array;
  /** The strands that start at turn 0, oldest first, then those on turn 1 … */
  forks: Int32Array;
  /** The strands other than the trunk that begin at a root, oldest first. */
  roots: number[];
}

/** What of a skeleton is needed to lay it out. */
export type Shape = Pick<
  Skeleton,
  "count" | "parent" | "branch" | "hidden" | "flags" | "createdAtMs"
>;

/**
 * These columns of a skeleton, or of a copy of it, always in an object of the same kind: engines start again with what they have
 * compiled when they meet another one.
 */
export function shapeOf({ count, parent, branch, hidden, flags, createdAtMs }: Shape): Shape {
  return { count, parent, branch, hidden, flags, createdAtMs };
}

/** No turn in particular: the tree as a whole. */
export const wholeTree = -1;

/** Takes a tree apart. Below a `root` only that turn's subtree: turns outside of it are on no strand, -1, nor are hidden ones. */
export function strandsOf(skeleton: Shape, root = wholeTree): Strands {
  const { count: turnCount, parent: parents, branch, hidden } = skeleton;
  const isIn = root < 0 ? null : subtreeOf(skeleton, root);
  const of = new Int32Array(turnCount).fill(-1);
  const depth = new Int32Array(turnCount);
  const continued = new Uint8Array(turnCount);
  const fork = new Int32Array(turnCount + 1);
  fork[0] = -1;
  const roots: number[] = [];
  let count = 0;
  for (let turn = 0; turn < turnCount; turn++) {
    if (isIn !== null && isIn[turn] === 0) continue;
    const above = parents[turn] as number;
    const parent = above < turn && turn !== root ? above : -1;
    if (parent >= 0) depth[turn] = (depth[parent] as number) + 1;
    if (hidden[turn] === 1) continue;
    // A turn continues its parent's strand when both lie in one branch. Each turn is continued once, even should the source
    // have two: a strand is a chain.
    if (parent < 0) {
      if (count > 0) roots.push(count);
    } else if (branch[parent] === branch[turn] && continued[parent] === 0) {
      continued[parent] = 1;
      of[turn] = of[parent] as number;
      continue;
    }
    fork[count] = parent;
    of[turn] = count++;
  }
  // A tree without turns has an empty trunk.
  count = Math.max(count, 1);
  const forkOf = fork.slice(0, count);
  const start = groupStarts(count, of);
  const forkStart = groupStarts(turnCount, forkOf);
  return {
    count,
    of,
    depth,
    size: sizes(skeleton),
    ...siblings(skeleton),
    start,
    turns: groupMembers(start, of),
    fork: forkOf,
    forkStart,
    forks: groupMembers(forkStart, forkOf),
    roots,
  };
}

/** Turn → 1 if it is the turn or is below it. */
function subtreeOf(skeleton: Shape, root: number): Uint8Array {
  const isIn = new Uint8Array(skeleton.count);
  isIn[root] = 1;
  for (let turn = root + 1; turn < skeleton.count; turn++)
    isIn[turn] = byte(isIn, parentOf(skeleton, turn));
  return isIn;
}

function sizes({ count, parent, hidden }: Shape): Int32Array {
  const size = new Int32Array(count);
  for (let turn = count - 1; turn >= 0; turn--) {
    const above = parent[turn] as number;
    const own = (size[turn] as number) + (hidden[turn] === 1 ? 0 : 1);
    size[turn] = own;
    if (above >= 0 && above < turn) size[above] = (size[above] as number) + own;
  }
  return size;
}

function siblings({ count, parent, hidden }: Shape): Pick<Strands, "position" | "alternatives"> {
  // Place 0 counts the first turns, place n + 1 the children of turn n.
  const children = new Int32Array(count + 1);
  const position = new Int32Array(count);
  const alternatives = new Int32Array(count);
  for (let turn = 0; turn < count; turn++) {
    if (hidden[turn] === 1) continue;
    const above = parent[turn] as number;
    const group = above < turn ? above + 1 : 0;
    position[turn] = children[group] as number;
    children[group] = (children[group] as number) + 1;
  }
  for (let turn = 0; turn < count; turn++) {
    const above = parent[turn] as number;
    alternatives[turn] = children[above < turn ? above + 1 : 0] as number;
  }
  return { position, alternatives };
}

/** How many turns a strand has. */
export function strandLength({ start }: Strands, strand: number): number {
  return int(start, strand + 1) - int(start, strand);
}

/** The first turn of a strand; -1 for the trunk of an empty tree. */
export function firstTurn(strands: Strands, strand: number): number {
  return strandLength(strands, strand) === 0 ? -1 : int(strands.turns, int(strands.start, strand));
}

/** The last turn of a strand; -1 for the trunk of an empty tree. */
export function lastTurn(strands: Strands, strand: number): number {
  return strandLength(strands, strand) === 0
    ? -1
    : int(strands.turns, int(strands.start, strand + 1) - 1);
}

/** The index of a turn in `turns`. Its neighbours there are its neighbours on the strand. */
export function placeOf(strands: Strands, turn: number): number {
  const strand = int(strands.of, turn);
  return (
    int(strands.start, strand) +
    int(strands.depth, turn) -
    int(strands.depth, firstTurn(strands, strand))
  );
}

/** The turn after it on its strand; -1 at the end. */
export function nextOnStrand(strands: Strands, turn: number): number {
  const place = placeOf(strands, turn) + 1;
  return place < int(strands.start, int(strands.of, turn) + 1) ? int(strands.turns, place) : -1;
}

/** The number of strands that start at a turn. */
export function forkCount({ forkStart }: Strands, turn: number): number {
  return int(forkStart, turn + 1) - int(forkStart, turn);
}

/** Whether the turn begins a strand other than the trunk. */
export function isStrandStart(strands: Strands, turn: number): boolean {
  const strand = int(strands.of, turn);
  return strand > 0 && firstTurn(strands, strand) === turn;
}

/** Reports whether the turn continues its strand after a fork: it is one of the alternatives there, as are the first turns of the forks. */
export function isContinuation(strands: Strands, turn: number): boolean {
  const place = placeOf(strands, turn);
  if (place === int(strands.start, int(strands.of, turn))) return false;
  return forkCount(strands, int(strands.turns, place - 1)) > 0;
}

/** The turns one step below, in the order of creation: what comes next on the strand and what forks. */
export function childrenOf(strands: Strands, turn: number): number[] {
  const children: number[] = [];
  const next = nextOnStrand(strands, turn);
  if (next >= 0) children.push(next);
  for (let at = int(strands.forkStart, turn); at < int(strands.forkStart, turn + 1); at++)
    children.push(firstTurn(strands, int(strands.forks, at)));
  return children.sort((a, b) => a - b);
}

/** The alternatives at a turn's place, itself included, in the order of creation. */
export function siblingsOf(skeleton: Skeleton, strands: Strands, turn: number): number[] {
  const parent = parentOf(skeleton, turn);
  if (parent >= 0 && int(strands.of, parent) < 0) return [turn];
  if (parent >= 0) return childrenOf(strands, parent);
  const firsts = strands.roots.map((strand) => firstTurn(strands, strand));
  const trunk = firstTurn(strands, 0);
  return trunk < 0 ? firsts : [trunk, ...firsts];
}

/** The alternatives at a turn's place that are older than it, nearest first, at most so many: of 10,000 alternatives without sorting them. */
export function olderSiblingsOf(
  skeleton: Skeleton,
  strands: Strands,
  turn: number,
  most: number,
): number[] {
  const parent = parentOf(skeleton, turn);
  if (parent >= 0 && int(strands.of, parent) < 0) return [];
  const nearest: number[] = [];
  const consider = (sibling: number) => {
    if (sibling < 0 || sibling >= turn) return;
    if (nearest.length === most && sibling < (nearest[most - 1] ?? 0)) return;
    let place = nearest.length;
    while (place > 0 && (nearest[place - 1] ?? 0) < sibling) place--;
    nearest.splice(place, 0, sibling);
    if (nearest.length > most) nearest.pop();
  };
  if (parent < 0) {
    for (const strand of [0, ...strands.roots]) consider(firstTurn(strands, strand));
    return nearest;
  }
  consider(nextOnStrand(strands, parent));
  // Mostly the last of them are the newest.
  for (let at = int(strands.forkStart, parent + 1) - 1; at >= int(strands.forkStart, parent); at--)
    consider(firstTurn(strands, int(strands.forks, at)));
  return nearest;
}
