import { parentOf, type Skeleton } from "@/lib/tree/skeleton";
import type { FreshOutline } from "./fresh-outline";
import { lanesToKeep } from "./kept-lanes";
import { layOutMap, type MapLayout } from "./map-layout";
import { lastTurn, type Strands, shapeOf, strandsOf, wholeTree } from "./strands";

/** The positions of everything in a tree, for one path. */
export interface Layout {
  skeleton: Skeleton;
  /** The turn below which it lies; -1 for the whole tree. */
  root: number;
  strands: Strands;
  map: MapLayout;
  /** The outline that it opens with, where that was made with it. */
  outline?: FreshOutline;
}

/**
 * Lays a tree out along the path to a leaf, -1 for no path; below a root only that part of it. `kept` are lanes that
 * must not change, see keptLanes.
 */
export function layOut(
  skeleton: Skeleton,
  leaf: number,
  root = wholeTree,
  kept: Int32Array | null = null,
): Layout {
  const strands = strandsOf(shapeOf(skeleton), leaf, root);
  return { skeleton, root, strands, map: layOutMap(strands, kept) };
}

/** The lanes to keep in the next layout of a tree: all where it has only grown and the path has at most got longer, else none. */
export function keptLanes(
  before: Layout | null,
  next: Skeleton,
  leaf: number,
  root = wholeTree,
): Int32Array | null {
  if (!before || before.skeleton.count > next.count || before.root !== root) return null;
  const { strands, map } = before;
  let at = leaf;
  while (at >= before.skeleton.count) at = parentOf(next, at);
  if (at !== lastTurn(strands, 0)) return null;
  return lanesToKeep(strands, map.lane, next.count);
}
