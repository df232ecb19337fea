// Lays out large trees beside the window, so that typing and scrolling go on.

import { type Places, placesOf } from "./layout";
import { startRehearsal } from "./rehearsal";
import type { Shape } from "./strands";

/** What the worker is asked; it answers each in turn. */
export interface LayoutRequest {
  id: number;
  shape: Shape;
  leaf: number;
  root: number;
  /** Of keptLanes. */
  kept: Int32Array | null;
}

/** The answer to the request of the same id. */
export interface LayoutAnswer {
  id: number;
  places: Places;
  /** How long it took. */
  tookMs: number;
}

startRehearsal(0);

self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => {
  const beganMs = performance.now();
  const { strands, map } = placesOf(data.shape, data.leaf, data.root, data.kept);
  const tookMs = performance.now() - beganMs;
  const answer: LayoutAnswer = { id: data.id, places: { strands, map }, tookMs };
  // The columns move over instead of being copied.
  const columns = [...Object.values(strands), ...Object.values(map)].filter((value) =>
    ArrayBuffer.isView(value),
  );
  self.postMessage(answer, { transfer: [...new Set(columns.map(({ buffer }) => buffer))] });
};
