import { int } from "../layout/columns";
import { laneColor } from "../layout/lane-color";
import type { PathEnds } from "../layout/path-ends";
import type { TreeLayout } from "../layout/use-layout";
import type { MapExtent, Orientation } from "./map-view";
import { highestCost } from "./measure";

/** What the map shows, whatever part of it is in sight. */
export interface MapScene extends TreeLayout {
  /** Strand → its lane color. */
  colors: Uint8Array;
  /** The turns with labels. */
  labels: Int32Array;
  /** What the most expensive turn cost; 0 if no cost is known. */
  mostCostNanoUsd: number;
  /** How much there is to see, and where it grows to. */
  extent: MapExtent;
}

/** The turns that the map marks; -1 for none. */
export interface MapMarks {
  /** The path on screen. */
  path: PathEnds;
  head: number;
  selected: number;
  hovered: number;
  /** The turn at the top of the transcript. */
  read: number;
  /** The turns that were found; null while nothing is looked for. */
  found: Int32Array | null;
}

/** The scene of a layout. */
export function sceneOf(layout: TreeLayout, orientation: Orientation): MapScene {
  const { lanes, depths } = layout.map;
  const extent = { lanes, depths, orientation };
  const { skeleton, strands } = layout;
  const colors = new Uint8Array(strands.count);
  for (let strand = 0; strand < strands.count; strand++)
    colors[strand] = laneColor(skeleton, strands, strand);
  const labels = Int32Array.from(layout.tree.labels.keys()).filter(
    (turn) => int(strands.of, turn) >= 0,
  );
  const mostCostNanoUsd = highestCost(skeleton);
  return { ...layout, extent, colors, labels, mostCostNanoUsd };
}

/** The lane and depth of a turn; the corner for one that is not on this map. */
export function placeOnMap({ strands, map }: TreeLayout, turn: number) {
  if (int(strands.of, turn) < 0) return { lane: 0, depth: 0 };
  return { lane: int(map.lane, int(strands.of, turn)), depth: int(strands.depth, turn) };
}
