import { parentOf, type Skeleton } from "@/lib/skeleton";
import { lanesToKeep } from "./kept-lanes";
import { layOutMap, type MapLayout } from "./map-layout";
import { lastTurn, type Shape, type Strands, strandsOf, wholeTree } from "./strands";

/** The strands of a tree and their places on the map. */
export interface Places {
  strands: Strands;
  map: MapLayout;
}

/** Where everything in a tree stands, for one path. */
export interface Layout extends Places {
  skeleton: Skeleton;
  /** The turn below which it lies; -1 for the whole tree. */
  root: number;
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
  return { skeleton, root, ...placesOf(skeleton, leaf, root, kept) };
}

/** As layOut, of no more of a tree than is needed for it. */
export function placesOf(
  shape: Shape,
  leaf: number,
  root: number,
  kept: Int32Array | null,
): Places {
  const strands = strandsOf(shape, leaf, root);
  return { strands, map: layOutMap(strands, kept) };
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
