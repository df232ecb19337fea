// Lays out large trees beside the window, so that typing and scrolling continue.

import { type FreshOutline, freshOutline, type OutlineChoice } from "./fresh-outline";
import { layOutMap, type MapLayout } from "./map-layout";
import { type Shape, type Strands, shapeOf, strandsOf } from "./strands";
import { startWarmUp } from "./warm-up";

/** What the worker is asked; it answers each in turn. */
export interface LayoutRequest {
  id: number;
  shape: Shape;
  root: number;
  /** Of keptLanes. */
  kept: Int32Array | null;
  choice: OutlineChoice;
}

/** The two answers to the request of the same id: what the tree is seen by first, then its map. */
export type LayoutAnswer =
  | { id: number; strands: Strands; outline: FreshOutline }
  | { id: number; map: MapLayout; tookMs: number };

startWarmUp();

self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => {
  const { id, root, kept, choice } = data;
  const shape = shapeOf(data.shape);
  const beganMs = performance.now();
  const strands = strandsOf(shape, root);
  // Before the window has anything to draw, which would take time from it.
  const map = layOutMap(strands, kept);
  const tookMs = performance.now() - beganMs;
  answer({ id, strands, outline: freshOutline(shape, strands, choice) });
  answer({ id, map, tookMs });
};

/** The columns move over instead of being copied. */
function answer(message: LayoutAnswer): void {
  const holders =
    "map" in message
      ? [message.map]
      : [message.strands, message.outline.parts, message.outline.parts.order, message.outline.rows];
  const columns = holders.flatMap((holder) => Object.values(holder)).filter(ArrayBuffer.isView);
  self.postMessage(message, { transfer: [...new Set(columns.map(({ buffer }) => buffer))] });
}
