import type { Skeleton } from "@/lib/skeleton";
import { layOutMap, type MapLayout } from "./map-layout";
import { type Strands, strandsOf } from "./strands";

/** Where everything in a tree stands, for one path. */
export interface Layout {
  skeleton: Skeleton;
  strands: Strands;
  map: MapLayout;
}

/** Lays a tree out along the path to a leaf; -1 for no path. */
export function layOut(skeleton: Skeleton, leaf: number): Layout {
  const strands = strandsOf(skeleton, leaf);
  return { skeleton, strands, map: layOutMap(strands) };
}
