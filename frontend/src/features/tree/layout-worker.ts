// Lays out large trees beside the window, so that typing and scrolling go on.

import { type Layout, layOut } from "./layout";
import type { Skeleton } from "./skeleton";

/** What the worker is asked; it answers each in turn. */
export interface LayoutRequest {
  id: number;
  skeleton: Skeleton;
  leaf: number;
}

/** The answer to the request of the same id. */
export interface LayoutAnswer {
  id: number;
  layout: Layout;
}

self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => {
  const answer: LayoutAnswer = { id: data.id, layout: layOut(data.skeleton, data.leaf) };
  self.postMessage(answer);
};
