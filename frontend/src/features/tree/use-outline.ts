import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useWindowState } from "@/lib/window-state";
import { byte, int } from "./columns";
import type { Filter } from "./filter";
import { type Folds, noFolds } from "./folds";
import { groundOf, modelOf, type OutlineModel, reveal } from "./outline-model";
import type { TreeLayout } from "./use-layout";

/** The outline's state: what is folded, filtered and selected. */
export interface OutlineState {
  model: OutlineModel;
  filter: Filter;
  setFilter: (filter: Filter) => void;
  setFolds: (folds: Folds) => void;
  selected: number;
  select: (turn: number) => void;
  /** Selects a turn and unfolds what hides it. */
  revealTurn: (turn: number) => void;
}

// Selects what the transcript shows. A path that only grows does not take the selection away from
// where a person has moved it.
function useFollow(
  { strands }: TreeLayout,
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
    const hasGrown = was.shown >= 0 && int(strands.of, was.shown) === 0 && was.signal === signal;
    if (!hasGrown || selected === was.shown) select(shown);
  }, [strands, shown, signal, selected, select]);
}

const allTurns = "all" as Filter;

/** Keeps the outline of a tree. The selection follows `shown`, the turn in the transcript, when that or `signal` changes. */
export function useOutline(layout: TreeLayout, shown: number, signal: unknown): OutlineState {
  const { tree } = layout;
  const [filter, setFilter] = useWindowState("treeFilter", allTurns);
  const [folds, setFolds] = useState(noFolds);
  const [selected, select] = useState(shown);
  useFollow(layout, shown, signal, selected, select);
  const ground = useMemo(
    () => groundOf(layout, filter, [tree.headTurn, shown]),
    [layout, filter, tree.headTurn, shown],
  );
  const model = useMemo(() => modelOf(ground, folds), [ground, folds]);
  const revealTurn = useCallback(
    (turn: number) => {
      if (model.kept && !byte(model.kept, turn)) setFilter(allTurns);
      setFolds(reveal(model, turn));
      select(turn);
    },
    [model, setFilter],
  );
  return { model, filter, setFilter, setFolds, selected, select, revealTurn };
}
