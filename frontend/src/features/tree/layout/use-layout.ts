import { useEffect, useMemo, useRef, useState } from "react";
import type { Tree } from "@/lib/tree/skeleton";
import type { OutlineChoice } from "./fresh-outline";
import { keptLanes, type Layout, layOut, sameTurn } from "./layout";
import type { Delivery, LayoutService } from "./layout-service";

/** From so many turns on a layout takes longer than a part of a frame and is made beside the window. */
const large = 5000;

/** A layout and what it was made of. */
export interface TreeLayout extends Layout {
  tree: Tree;
}

/** A layout whose map may still be on its way. */
export interface OutlinedTree extends Delivery {
  tree: Tree;
}

/**
 * The layout of a tree below a root (-1: all of it), with the outline of a choice where the tree is large. The last one stays while a large tree is laid out; null before the first, which comes without its map.
 */
export function useLayout(
  tree: Tree,
  root: number,
  choice: OutlineChoice,
  layoutService: LayoutService,
): OutlinedTree | null {
  const { skeleton } = tree;
  const isLarge = skeleton.count > large;
  const last = useRef<TreeLayout>(null);
  const here = useMemo(
    () => (isLarge ? null : layOutAfter(last.current, tree, root)),
    [tree, root, isLarge],
  );
  const [beside, setBeside] = useState<OutlinedTree | null>(null);
  const newest = useRef(choice);
  newest.current = choice;
  useEffect(() => {
    if (!isLarge) return;
    const kept = lanesAfter(last.current, tree, root);
    const order = { skeleton: tree.skeleton, root, kept, choice: newest.current };
    return layoutService.order(order, (delivery) =>
      // What is on screen stays until all of the next is here.
      setBeside((now) => (now && !delivery.map ? now : { ...delivery, tree })),
    );
  }, [tree, root, isLarge, layoutService]);
  const layout = here ?? beside;
  useEffect(() => {
    if (layout && hasMap(layout)) last.current = layout;
  }, [layout]);
  return layout;
}

/** Whether the map of a layout is here. */
export function hasMap(layout: OutlinedTree): layout is TreeLayout {
  return layout.map !== null;
}

function lanesAfter(before: TreeLayout | null, tree: Tree, root: number): Int32Array | null {
  if (before?.tree.reshapes !== tree.reshapes || !hidesAlike(before.tree, tree)) return null;
  return keptLanes(before, tree.skeleton, root);
}

/** Whether what both trees have is hidden in both or in none. */
function hidesAlike({ skeleton: before }: Tree, { skeleton: now }: Tree): boolean {
  return before.hidden.every(
    (isHidden, turn) => isHidden === (now.hidden[sameTurn(before, now, turn)] ?? 0),
  );
}

function layOutAfter(before: TreeLayout | null, tree: Tree, root: number): TreeLayout {
  const kept = lanesAfter(before, tree, root);
  return { ...layOut(tree.skeleton, root, kept), tree };
}
