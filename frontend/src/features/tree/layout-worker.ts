// Lays out large trees beside the window, so that typing and scrolling go on.

import type { Skeleton } from "@/lib/skeleton";
import { type Layout, layOut } from "./layout";

/** What the worker is asked; it answers each in turn. */
export interface LayoutRequest {
  id: number;
  skeleton: Skeleton;
  leaf: number;
  root: number;
  /** Of keptLanes. */
  kept: Int32Array | null;
}

/** The answer to the request of the same id; the skeleton stays with who asked. */
export interface LayoutAnswer {
  id: number;
  layout: Omit<Layout, "skeleton" | "root">;
  /** How long it took. */
  tookMs: number;
}

self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => {
  const beganMs = performance.now();
  const { strands, map } = layOut(data.skeleton, data.leaf, data.root, data.kept);
  const tookMs = performance.now() - beganMs;
  const answer: LayoutAnswer = { id: data.id, layout: { strands, map }, tookMs };
  // The columns move over instead of being copied.
  const columns = [...Object.values(strands), ...Object.values(map)].filter((value) =>
    ArrayBuffer.isView(value),
  );
  self.postMessage(answer, { transfer: [...new Set(columns.map(({ buffer }) => buffer))] });
};
