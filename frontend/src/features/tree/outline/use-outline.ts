import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { parentOf, type Skeleton, type Tree } from "@/lib/tree/skeleton";
import { hitsInOrder, type OpenedHits, openHits } from "../find/hits";
import { byte, int } from "../layout/columns";
import type { Filter } from "../layout/filter";
import { type Folds, noFolds } from "../layout/folds";
import type { SiblingOrder } from "../layout/fork-order";
import { sameTurn } from "../layout/layout";
import { groundOf, modelOf, type OutlineModel, reveal } from "../layout/outline-model";
import { isOnPath, pathEndsOf } from "../layout/path-ends";
import type { OutlinedTree } from "../layout/use-layout";
import { useListing } from "../layout/use-listing";

/** The outline's state: what is folded, filtered and selected. */
export interface OutlineState {
  model: OutlineModel;
  filter: Filter;
  setFilter: (filter: Filter) => void;
  setFolds: (folds: Folds) => void;
  /** Never a turn that the trash hides: then it is the one above it, or the one shown; -1 for none. */
  selected: number;
  select: (turn: number) => void;
  /** Selects a turn and unfolds what hides it. */
  revealTurn: (turn: number) => void;
  order: SiblingOrder;
  setOrder: (order: SiblingOrder) => void;
  /** The turns found, as they are listed; empty while nothing is looked for. */
  found: Int32Array;
}

// Selects what the transcript shows. A path that only grows does not take the selection away from
// where the user has moved it.
function useFollow(
  model: OutlineModel,
  shown: number,
  signal: unknown,
  selected: number,
  select: (turn: number) => void,
) {
  const before = useRef({ shown, signal });
  useEffect(() => {
    const was = before.current;
    if (was.shown === shown && was.signal === signal) return;
    before.current = { shown, signal };
    const { strands, path } = model;
    const hasGrown = isOnPath(strands, path, was.shown) && was.signal === signal;
    if (!hasGrown || selected === was.shown) select(shown);
  }, [model, shown, signal, selected, select]);
}

/** The turn, or the nearest one above it, that is not in the trash; -1 for none. */
function outOfTrash(skeleton: Skeleton, turn: number): number {
  let at = turn < skeleton.count ? turn : -1;
  while (at >= 0 && byte(skeleton.hidden, at)) at = parentOf(skeleton, at);
  return at;
}

const nothing = new Int32Array();

/** The turns that no chain's fold hides: the head and what is viewed when the tree opens. Later ones are unfolded, see reveal. */
export function usePinned({ skeleton, headTurn }: Tree, shown: number): readonly number[] {
  const pinned = useRef({ skeleton, turns: [headTurn, shown] as readonly number[] });
  const was = pinned.current;
  if (was.skeleton === skeleton) return was.turns;
  const turns = was.turns.map((turn) => sameTurn(was.skeleton, skeleton, turn));
  const isSame = turns.every((turn, at) => turn === was.turns[at]);
  pinned.current = { skeleton, turns: isSame ? was.turns : turns };
  return pinned.current.turns;
}

/**
 * Keeps the outline of a tree; `leaf` is the end of the path on screen, `hits` are turns that were found. No row moves when another path
 * is viewed, but what folds hide of it is unfolded. The selection follows `shown`, the turn in the transcript, when that or `signal` changes.
 */
export function useOutline(
  layout: OutlinedTree,
  leaf: number,
  shown: number,
  signal: unknown,
  hits: Uint8Array | null,
): OutlineState {
  const { tree } = layout;
  const [{ filter, order }, { setFilter, setOrder }] = useListing();
  const [folds, setFolds] = useState(noFolds);
  const [chosen, select] = useState(shown);
  const pinned = usePinned(tree, shown);
  const selected = useMemo(() => {
    const near = outOfTrash(tree.skeleton, chosen);
    return near >= 0 ? near : outOfTrash(tree.skeleton, shown);
  }, [tree, chosen, shown]);
  // Not again when the map arrives.
  const { skeleton, strands, outline } = layout;
  const ground = useMemo(
    () => groundOf({ skeleton, strands, outline }, filter, order, pinned),
    [skeleton, strands, outline, filter, order, pinned],
  );
  const plain = useMemo(() => modelOf(ground, folds), [ground, folds]);
  // What a search unfolds, and what the user folds meanwhile, is forgotten with the search.
  const opened = useMemo(
    () => hits && openHits({ ...ground, kept: null }, folds, hits),
    [ground, folds, hits],
  );
  const [meanwhile, setMeanwhile] = useState<{ opened: OpenedHits; folds: Folds }>();
  const searched = useMemo(() => {
    if (!opened) return null;
    const now = meanwhile?.opened === opened ? meanwhile.folds : opened.folds;
    return modelOf({ ...ground, kept: null }, now, opened.hidden);
  }, [ground, opened, meanwhile]);
  const listed = searched ?? plain;
  const path = useMemo(() => pathEndsOf(skeleton, strands, leaf), [skeleton, strands, leaf]);
  const model = useMemo(() => ({ ...listed, path }), [listed, path]);
  const found = useMemo(
    () => (hits && searched ? hitsInOrder(searched.rows, hits) : nothing),
    [hits, searched],
  );
  const fold = useCallback(
    (next: Folds) => (opened ? setMeanwhile({ opened, folds: next }) : setFolds(next)),
    [opened],
  );
  const revealTurn = useCallback(
    (turn: number) => {
      if (!opened && model.kept && !byte(model.kept, turn)) setFilter("all");
      fold(reveal(model, turn));
      select(turn);
    },
    [model, opened, fold, setFilter],
  );
  useFollow(model, shown, signal, chosen, select);
  // What is viewed is not hidden by a fold; a filter may hide it.
  const follow = useRef(revealTurn);
  follow.current = (turn) => {
    const isListed = turn < 0 || int(model.rows.of, turn) >= 0 || model.strands.of[turn] === -1;
    if (!opened && !isListed && (model.kept === null || byte(model.kept, turn)))
      fold(reveal(model, turn));
  };
  useEffect(() => follow.current(shown), [shown]);
  // What is selected when the search ends stays in sight.
  const wasSearching = useRef(false);
  useEffect(() => {
    if (wasSearching.current && !opened && selected >= 0) setFolds(reveal(plain, selected));
    wasSearching.current = opened !== null;
  }, [opened, plain, selected]);
  return {
    model,
    filter,
    setFilter,
    order,
    setOrder,
    setFolds: fold,
    selected,
    select,
    revealTurn,
    found,
  };
}
