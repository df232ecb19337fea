import { useCallback, useEffect, useMemo, useState } from "react";
import { useWindowState } from "@/lib/window-state";
import { byte } from "./columns";
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

const allTurns = "all" as Filter;

/** Keeps the outline of a tree. The selection follows `shown`, the turn in the transcript, when that or `signal` changes. */
export function useOutline(layout: TreeLayout, shown: number, signal: unknown): OutlineState {
  const { tree } = layout;
  const [filter, setFilter] = useWindowState("treeFilter", allTurns);
  const [folds, setFolds] = useState(noFolds);
  const [selected, select] = useState(shown);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signal says when
  useEffect(() => select(shown), [shown, signal]);
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
