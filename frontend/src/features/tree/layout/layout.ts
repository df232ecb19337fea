import { partAt, type Skeleton } from "@/lib/tree/skeleton";
import { int } from "./columns";
import type { FreshOutline } from "./fresh-outline";
import { lanesToKeep } from "./kept-lanes";
import { layOutMap, type MapLayout } from "./map-layout";
import { type Strands, shapeOf, strandsOf, wholeTree } from "./strands";

/** The positions of everything in a tree. They do not depend on what of it is on screen. */
export interface Layout {
  skeleton: Skeleton;
  /** The turn below which it lies; -1 for the whole tree. */
  root: number;
  strands: Strands;
  map: MapLayout;
  /** The outline that it opens with, where that was made with it. */
  outline?: FreshOutline;
}

/** Lays a tree out; below a root only that part of it. `kept` are lanes that must not change, see keptLanes. */
export function layOut(
  skeleton: Skeleton,
  root = wholeTree,
  kept: Int32Array | null = null,
): Layout {
  const strands = strandsOf(shapeOf(skeleton), root);
  return { skeleton, root, strands, map: layOutMap(strands, kept) };
}

/** The lanes to keep in the next layout of a tree: all where it has only grown, else none. */
export function keptLanes(
  before: Layout | null,
  next: Skeleton,
  root = wholeTree,
): Int32Array | null {
  if (!before || before.skeleton.count > next.count || before.root !== root) return null;
  const { strands, map, skeleton } = before;
  return lanesToKeep(strands, map.lane, next.count, (turn) => sameTurn(skeleton, next, turn));
}

/** The turn that was a turn of an earlier skeleton: numbers shift where an older turn has been divided since. */
export function sameTurn(before: Skeleton, next: Skeleton, turn: number): number {
  if (turn < 0 || turn >= before.count) return -1;
  return partAt(next, int(before.number, turn), int(before.firstDepth, turn));
}
