import { int } from "./layout/columns";
import { childrenOf } from "./layout/strands";
import type { OutlinedTree } from "./layout/use-layout";
import type { OutlineState } from "./outline/use-outline";
import type { TurnActions } from "./turn/turn-actions";

interface Scene {
  layout: OutlinedTree;
  outline: OutlineState;
  actions: TurnActions;
  isShown: (turn: number) => boolean;
  onHoist: (turn: number) => void;
}

/** Moves of the selection, also to turns that are folded or outside the part of the tree that is shown. */
export function useTreeMoves({ layout, outline, actions, isShown, onHoist }: Scene) {
  const { strands, root } = layout;
  const isOutside = (turn: number) => root >= 0 && turn >= 0 && int(strands.of, turn) < 0;
  const showAll = () => root >= 0 && onHoist(root);
  const reveal = (turn: number) => {
    if (isOutside(turn)) showAll();
    outline.revealTurn(turn);
  };
  const goToChild = (turn: number) => {
    const next = isShown(turn)
      ? (childrenOf(strands, turn).find((child) => isShown(child)) ?? -1)
      : -1;
    if (next >= 0) reveal(next);
    else if (int(strands.size, turn) > 1)
      void actions.lastVisitedChild(turn).then((child) => child >= 0 && reveal(child));
  };
  return { showAll, reveal, goToChild };
}

export type TreeMoves = ReturnType<typeof useTreeMoves>;
