import { int } from "./columns";
import { laneColor } from "./lane-color";
import type { MapExtent, Orientation } from "./map-view";
import type { TreeLayout } from "./use-layout";

/** What the map shows, whatever part of it is in sight. */
export interface MapScene extends TreeLayout {
  /** Strand → its lane colour. */
  colors: Uint8Array;
  /** The turns with labels. */
  labels: Int32Array;
  /** How much there is to see, and where it grows to. */
  extent: MapExtent;
}

/** The turns that the map marks; -1 for none. */
export interface MapMarks {
  head: number;
  selected: number;
  hovered: number;
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
  return { ...layout, extent, colors, labels: Int32Array.from(layout.tree.labels.keys()) };
}

/** The lane and depth of a turn. */
export function placeOnMap({ strands, map }: TreeLayout, turn: number) {
  return { lane: int(map.lane, int(strands.of, turn)), depth: int(strands.depth, turn) };
}
