// The outline as it is now, and how its folds change.

import { parentOf, type Skeleton } from "@/lib/tree/skeleton";
import { chainAround, foldEnd } from "./chains";
import { byte, int } from "./columns";
import type { Filter } from "./filter";
import {
  allButPath,
  type Folds,
  hidesRest,
  isFoldable,
  isFolded,
  noFolds,
  withChain,
  withFold,
  withRest,
} from "./folds";
import type { SiblingOrder } from "./fork-order";
import { isSameChoice, type OutlineParts, outlineParts } from "./fresh-outline";
import type { Layout } from "./layout";
import { noPath, type PathEnds } from "./path-ends";
import { type Rows, rowsOf } from "./rows";
import { firstTurn, forkCount, isStrandStart, placeOf, type Strands, shapeOf } from "./strands";

/** What the outline's lines, keys and names are computed from. */
export interface OutlineModel extends OutlineParts {
  skeleton: Skeleton;
  strands: Strands;
  folds: Folds;
  rows: Rows;
  /** The path on screen; it changes no row. */
  path: PathEnds;
}

/** What of a model does not depend on the user's folds. */
export interface OutlineGround extends OutlineParts {
  skeleton: Skeleton;
  strands: Strands;
  /** Its rows where nobody has folded anything; undefined: they are still to be listed. */
  fresh: Rows | undefined;
}

/** The ground of an outline. `pinned` are turns that always show, such as the head; -1 is ignored. */
export function groundOf(
  { skeleton, strands, outline }: Pick<Layout, "skeleton" | "strands" | "outline">,
  filter: Filter,
  order: SiblingOrder,
  pinned: readonly number[],
): OutlineGround {
  const choice = { filter, order, pinned };
  const isMade = outline !== undefined && isSameChoice(outline.choice, choice);
  const parts = isMade ? outline.parts : outlineParts(shapeOf(skeleton), strands, choice);
  return { skeleton, strands, ...parts, fresh: isMade ? outline.rows : undefined };
}

/** The outline on its ground; while one searches, only with the strands that the hits are in, see openHits. */
export function modelOf(
  ground: OutlineGround,
  folds: Folds,
  hidden: Uint8Array | null = null,
): OutlineModel {
  const { skeleton, strands, fresh } = ground;
  const isFresh = fresh && folds === noFolds && !hidden;
  const rows = isFresh ? fresh : rowsOf(skeleton, strands, { ...ground, folds, hidden });
  return { ...ground, folds, rows, path: noPath };
}

/** The turns that have a row of their own, in the order of the rows. */
export function listedTurns({ rows }: OutlineModel): number[] {
  return Array.from({ length: rows.count }, (_, row) => row)
    .filter((row) => int(rows.chain, row) === 0)
    .map((row) => int(rows.turn, row));
}

/** The row that represents a turn: its own, its chain's, or that of the nearest turn above it that shows; -1 for none. */
export function rowFor({ skeleton, rows }: OutlineModel, turn: number): number {
  for (let at = turn; at >= 0 && at < rows.of.length; at = parentOf(skeleton, at))
    if (int(rows.of, at) >= 0) return int(rows.of, at);
  return -1;
}

/** Whether what is below a turn shows (true), is folded (false), or there is nothing (undefined). */
export function isExpanded(model: OutlineModel, turn: number): boolean | undefined {
  if (!isFoldable(model.strands, turn)) return undefined;
  return !isFolded(model.folds, model.rule, turn);
}

/** With the turn folded or unfolded. */
export function setFold({ folds }: OutlineModel, turn: number, folded: boolean): Folds {
  return withFold(folds, turn, folded);
}

/** With the folded chain of a row unfolded. */
export function openChain({ folds, strands, rows }: OutlineModel, row: number): Folds {
  const place = placeOf(strands, int(rows.turn, row));
  return withChain(folds, strands, place, place + int(rows.chain, row), true);
}

/** With the unfolded chain around a turn folded again; undefined without such a chain. */
export function closeChain(model: OutlineModel, turn: number): Folds | undefined {
  const { folds, strands, anchors } = model;
  const { from, to } = chainAround(strands, anchors, placeOf(strands, turn));
  if (from === to || foldEnd(strands, anchors, new Uint8Array(), from) === from) return undefined;
  return withChain(folds, strands, from, to, false);
}

/** With all unfolded that hides a turn; the same folds where nothing does. */
export function reveal(model: OutlineModel, turn: number): Folds {
  const { strands, rule, anchors } = model;
  let { folds } = model;
  if (int(strands.of, turn) < 0) return folds;
  const unfold = (at: number) => {
    if (isFolded(folds, rule, at) && isFoldable(strands, at)) folds = withFold(folds, at, false);
  };
  for (let at = turn; at >= 0; ) {
    const strand = int(strands.of, at);
    const end = placeOf(strands, at);
    for (let place = int(strands.start, strand); place < end; place++) {
      const above = int(strands.turns, place);
      if (!hidesRest({ strands, folds, rule }, above)) continue;
      if (isStrandStart(strands, above)) unfold(above);
      else folds = withRest(folds, strands, above);
    }
    const fork = int(strands.fork, strand);
    if (fork >= 0) unfold(fork);
    at = fork;
  }
  if (!byte(anchors, turn) && !byte(folds.opened, turn)) {
    const place = placeOf(strands, turn);
    folds = withChain(folds, strands, place, place + 1, true);
  }
  return folds;
}

/** With everything folded but the path on screen. */
export function foldOthers(model: OutlineModel): Folds {
  const { strands, path } = model;
  let folds = allButPath();
  for (let strand = 0; strand < path.length; strand++) {
    const end = int(path, strand);
    if (end < 0) continue;
    const place = int(strands.start, strand) + end - int(strands.depth, firstTurn(strands, strand));
    folds = reveal({ ...model, folds }, int(strands.turns, place));
  }
  return folds;
}

/** The turn that a turn folds with: the first one of its fork, or the one that its fork starts at; -1 for none. */
export function ownerOf({ strands }: OutlineModel, turn: number): number {
  const strand = int(strands.of, turn);
  if (strand === 0) return -1;
  return isStrandStart(strands, turn) ? int(strands.fork, strand) : firstTurn(strands, strand);
}

/** Whether the path divides at a row. */
export function isBranchPoint({ strands, rows }: OutlineModel, row: number): boolean {
  return int(rows.chain, row) === 0 && forkCount(strands, int(rows.turn, row)) > 0;
}
