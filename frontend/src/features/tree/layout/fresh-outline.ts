// The outline that a tree opens with, before the user has folded anything. For a large tree it is computed with the layout, beside
// the window.

import { anchorsOf } from "./chains";
import { type Filter, keptTurns } from "./filter";
import { noFolds, ruleFolds } from "./folds";
import { type ForkOrder, orderForks, type SiblingOrder } from "./fork-order";
import { type Rows, rowsOf } from "./rows";
import type { Shape, Strands } from "./strands";

/** What an outline depends on beside the tree and its folds. */
export interface OutlineChoice {
  filter: Filter;
  order: SiblingOrder;
  /** Turns that always show, such as the head; -1 is ignored. */
  pinned: readonly number[];
}

/** What of an outline does not depend on the user's folds. */
export interface OutlineParts {
  anchors: Uint8Array;
  rule: Uint8Array;
  kept: Uint8Array | null;
  order: ForkOrder;
}

/** An outline, and what it was made for. */
export interface FreshOutline {
  choice: OutlineChoice;
  parts: OutlineParts;
  rows: Rows;
}

/** The outline of a tree as it opens. O(turns + forks · log forks), no recursion. */
export function freshOutline(shape: Shape, strands: Strands, choice: OutlineChoice): FreshOutline {
  const parts = outlineParts(shape, strands, choice);
  const rows = rowsOf(shape, strands, { ...parts, folds: noFolds, hidden: null });
  return { choice, parts, rows };
}

export function outlineParts(
  shape: Shape,
  strands: Strands,
  { filter, order, pinned }: OutlineChoice,
): OutlineParts {
  const anchors = anchorsOf(shape, strands, pinned);
  return {
    anchors,
    rule: ruleFolds(shape, strands, anchors),
    kept: keptTurns(shape, strands, filter, pinned),
    order: orderForks(shape, strands, order),
  };
}

/** Whether two outlines of a tree are alike but for their folds. */
export function isSameChoice(a: OutlineChoice, b: OutlineChoice): boolean {
  return (
    a.filter === b.filter &&
    a.order === b.order &&
    a.pinned.length === b.pinned.length &&
    a.pinned.every((turn, at) => turn === b.pinned[at])
  );
}
