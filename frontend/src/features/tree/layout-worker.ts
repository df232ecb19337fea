// Lays out large trees beside the window, so that typing and scrolling go on.

import { type FreshOutline, freshOutline, type OutlineChoice } from "./fresh-outline";
import { layOutMap, type MapLayout } from "./map-layout";
import { startRehearsal } from "./rehearsal";
import { type Shape, type Strands, shapeOf, strandsOf } from "./strands";

/** What the worker is asked; it answers each in turn. */
export interface LayoutRequest {
  id: number;
  shape: Shape;
  leaf: number;
  root: number;
  /** Of keptLanes. */
  kept: Int32Array | null;
  choice: OutlineChoice;
}

/** The two answers to the request of the same id: what the tree is seen by first, then its map. */
export type LayoutAnswer =
  | { id: number; strands: Strands; outline: FreshOutline }
  | { id: number; map: MapLayout; tookMs: number };

startRehearsal(0);

self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => {
  const { id, leaf, root, kept, choice } = data;
  const shape = shapeOf(data.shape);
  const beganMs = performance.now();
  const strands = strandsOf(shape, leaf, root);
  const strandsMs = performance.now() - beganMs;
  const outline = freshOutline(shape, strands, choice);
  answer({ id, strands: copyOf(strands), outline });
  const mapBeganMs = performance.now();
  const map = layOutMap(strands, kept);
  answer({ id, map, tookMs: strandsMs + performance.now() - mapBeganMs });
};

/** A copy to move over: what has moved is no longer here, where the map is made of it. */
function copyOf({ count, roots, ...columns }: Strands): Strands {
  const copies = Object.entries(columns).map(([name, column]) => [name, column.slice()]);
  return { count, roots, ...(Object.fromEntries(copies) as typeof columns) };
}

/** The columns move over instead of being copied. */
function answer(message: LayoutAnswer): void {
  const holders =
    "map" in message
      ? [message.map]
      : [message.strands, message.outline.parts, message.outline.parts.order, message.outline.rows];
  const columns = holders.flatMap((holder) => Object.values(holder)).filter(ArrayBuffer.isView);
  self.postMessage(message, { transfer: [...new Set(columns.map(({ buffer }) => buffer))] });
}
