import { useEffect, useMemo, useRef, useState } from "react";
import type { Tree } from "@/lib/skeleton";
import { keptLanes, type Layout, layOut } from "./layout";
import type { Workshop } from "./workshop";

/** From so many turns on a layout takes longer than a part of a frame and is made beside the window. */
const large = 5000;

/** A layout and what it was made of. */
export interface TreeLayout extends Layout {
  tree: Tree;
}

/**
 * The layout of a tree below a root (-1: all of it) along the path to a leaf (-1: none). The last one stays while a large
 * tree is laid out; null before the first.
 */
export function useLayout(
  tree: Tree,
  leaf: number,
  root: number,
  workshop: Workshop,
): TreeLayout | null {
  const { skeleton } = tree;
  const isLarge = skeleton.count > large;
  const last = useRef<TreeLayout>(null);
  const here = useMemo(
    () => (isLarge ? null : layOutAfter(last.current, tree, leaf, root)),
    [tree, leaf, root, isLarge],
  );
  const [beside, setBeside] = useState<TreeLayout | null>(null);
  useEffect(() => {
    if (!isLarge) return;
    const kept = lanesAfter(last.current, tree, leaf, root);
    const request = { skeleton: tree.skeleton, leaf, root, kept };
    return workshop.order(request, (layout) => setBeside({ ...layout, tree }));
  }, [tree, leaf, root, isLarge, workshop]);
  const layout = here ?? beside;
  useEffect(() => {
    last.current = layout;
  }, [layout]);
  return layout;
}

function lanesAfter(
  before: TreeLayout | null,
  tree: Tree,
  leaf: number,
  root: number,
): Int32Array | null {
  if (before?.tree.reshapes !== tree.reshapes || !hidesAlike(before.tree, tree)) return null;
  return keptLanes(before, tree.skeleton, leaf, root);
}

/** Whether what both trees have is hidden in both or in none. */
function hidesAlike({ skeleton: before }: Tree, { skeleton: now }: Tree): boolean {
  return before.hidden.every((isHidden, turn) => isHidden === (now.hidden[turn] ?? 0));
}

function layOutAfter(
  before: TreeLayout | null,
  tree: Tree,
  leaf: number,
  root: number,
): TreeLayout {
  const kept = lanesAfter(before, tree, leaf, root);
  return { ...layOut(tree.skeleton, leaf, root, kept), tree };
}
