// What of a tree is folded away. Two things fold: chains (chains.ts), and what is below a turn: the
// forks of a turn of a strand, and all that follows an alternative, which is the first turn of a fork or
// the turn that continues the strand there. The user's choices win over the rule, and the rule keeps
// what is off the path short, so that the path stays in sight.

import { foldEnd } from "./chains";
import { byte, int } from "./columns";
import {
  firstTurn,
  forkCount,
  isContinuation,
  isStrandStart,
  nextOnStrand,
  type Shape,
  type Strands,
  strandLength,
} from "./strands";

/** The user's choices. They are kept by turn, so they hold while the tree grows and the path moves. */
export interface Folds {
  /** What holds where nothing was chosen: the rule, nothing folded, or everything off the path folded. */
  base: "rule" | "open" | "path";
  /** Turn → whether what is below it is folded. */
  chosen: ReadonlyMap<number, boolean>;
  /** Turn → 1 where it was taken out of its chain's fold. */
  opened: Uint8Array;
}

/** Nothing chosen yet. */
export const noFolds: Folds = { base: "rule", chosen: new Map(), opened: new Uint8Array() };

/** Whether anything below the turn can fold. */
export function isFoldable(strands: Strands, turn: number): boolean {
  if (forkCount(strands, turn) > 0) return true;
  if (isStrandStart(strands, turn)) return strandLength(strands, int(strands.of, turn)) > 1;
  return isContinuation(strands, turn) && nextOnStrand(strands, turn) >= 0;
}

/** What a fold depends on: the tree, the user's choices, and the rule as of ruleFolds. */
export interface FoldParts {
  strands: Strands;
  folds: Folds;
  rule: Uint8Array;
}

/** Reports whether the fold of a turn hides the rest of its strand. */
export function hidesRest({ strands, folds, rule }: FoldParts, turn: number): boolean {
  if (!isFolded(folds, rule, turn)) return false;
  if (isStrandStart(strands, turn)) return true;
  // Where such a turn forks again, the user folds its forks, and the strand continues.
  const hasForks = forkCount(strands, turn) > 0;
  if (hasForks && (folds.base !== "path" || folds.chosen.has(turn))) return false;
  return isContinuation(strands, turn);
}

/** With the rest of a strand below a turn that hides it. */
export function withRest(folds: Folds, strands: Strands, turn: number): Folds {
  return withFold(folds, turn, forkCount(strands, turn) > 0);
}

/** Whether what is below the turn is folded; `rule` as of ruleFolds. */
export function isFolded(folds: Folds, rule: Uint8Array, turn: number): boolean {
  const chosen = folds.chosen.get(turn);
  if (chosen !== undefined) return chosen;
  if (folds.base === "rule") return byte(rule, turn) === 1;
  return folds.base === "path";
}

/** How many turns are out of sight while the turn is folded. */
export function foldedSize(parts: FoldParts, turn: number): number {
  const { strands } = parts;
  if (hidesRest(parts, turn)) return int(strands.size, turn) - 1;
  let forks = 0;
  for (let at = int(strands.forkStart, turn); at < int(strands.forkStart, turn + 1); at++)
    forks += int(strands.size, firstTurn(strands, int(strands.forks, at)));
  return forks;
}

/** With what is below a turn folded or not. */
export function withFold(folds: Folds, turn: number, folded: boolean): Folds {
  return { ...folds, chosen: new Map(folds.chosen).set(turn, folded) };
}

/** With places `from` to `to` (excluded) of `strands.turns` taken out of their chain's fold, or put back. */
export function withChain(
  folds: Folds,
  strands: Strands,
  from: number,
  to: number,
  open: boolean,
): Folds {
  const opened = new Uint8Array(strands.of.length);
  opened.set(folds.opened.subarray(0, opened.length));
  for (let place = from; place < to; place++) opened[int(strands.turns, place)] = open ? 1 : 0;
  return { ...folds, opened };
}

/** With everything unfolded. */
export function allOpen(turnCount: number): Folds {
  return { base: "open", chosen: new Map(), opened: new Uint8Array(turnCount).fill(1) };
}

/** With everything folded but the path. */
export function allButPath(): Folds {
  return { ...noFolds, base: "path" };
}

/** The forks of one turn may take so many lines; more are folded one by one, */
const mostRows = 12;
/** and where there are more forks than this, all together. */
const mostForks = 6;

/** A tree of no more turns than this is small enough to show whole. */
const smallTree = 40;

/** Turn → 1 where the rule folds what is below it. O(turns). */
export function ruleFolds(
  { count }: Pick<Shape, "count">,
  strands: Strands,
  anchors: Uint8Array,
): Uint8Array {
  const rule = new Uint8Array(count);
  if (count <= smallTree) return rule;
  const { start, turns } = strands;
  const nothing = new Uint8Array();
  const rows = new Int32Array(strands.count);
  // A strand's forks have greater numbers, but for those of the path, which comes last anyway.
  for (let strand = strands.count - 1; strand >= 0; strand--) {
    const end = start[strand + 1] as number;
    let lines = 0;
    for (let place = start[strand] as number; place < end; lines++) {
      const turn = turns[place] as number;
      // What forks is an anchor, and no chain begins at one.
      if (anchors[turn] === 1) lines += foldForks(strands, turn, rows, rule);
      place = Math.max(place + 1, foldEnd(strands, anchors, nothing, place));
    }
    rows[strand] = lines;
  }
  foldGroup(strands, strands.roots, 0, strands.roots.length, rows, rule);
  return rule;
}

// Folds the forks of one turn by the rule and returns how many lines are left of them.
function foldForks(strands: Strands, turn: number, rows: Int32Array, rule: Uint8Array): number {
  const { forkStart, forks } = strands;
  const from = forkStart[turn] as number;
  const to = forkStart[turn + 1] as number;
  if (from === to) return 0;
  if (to - from <= mostForks) return foldGroup(strands, forks, from, to, rows, rule);
  rule[turn] = 1;
  // They fold one by one as well, for the time when the user unfolds them all.
  foldGroup(strands, forks, from, to, rows, rule);
  return 0;
}

// Folds the strands of a group, places `from` to `to` (excluded). Places, because most turns have no forks, and a view of the
// column for each would cost more than all the rest.
function foldGroup(
  strands: Strands,
  group: ArrayLike<number>,
  from: number,
  to: number,
  rows: Int32Array,
  rule: Uint8Array,
): number {
  let total = 0;
  for (let at = from; at < to; at++) total += rows[group[at] as number] as number;
  if (total <= mostRows) return total;
  total = 0;
  for (let at = from; at < to; at++) {
    const strand = group[at] as number;
    if ((rows[strand] as number) > 2) {
      rule[firstTurn(strands, strand)] = 1;
      rows[strand] = 1;
    }
    total += rows[strand] as number;
  }
  return total;
}
