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
  /** The map is made when it is asked for, with a MapRequest; otherwise before the outline. */
  mapWaits: boolean;
}

/** Asks for the map that waits. There is none where another layout was asked for since. */
export interface MapRequest {
  id: number;
}

/** The two answers to the request of the same id: what the tree is seen by first, then its map. */
export type LayoutAnswer =
  | { id: number; strands: Strands; outline: FreshOutline }
  | { id: number; map: MapLayout; tookMs: number };

startRehearsal();

/** What is needed for the map that waits. */
let waiting: { id: number; strands: Strands; kept: Int32Array | null; tookMs: number } | undefined;

self.onmessage = ({ data }: MessageEvent<LayoutRequest | MapRequest>) => {
  if ("shape" in data) lay(data);
  else if (waiting?.id === data.id) placeWaiting(waiting);
};

function lay({ id, leaf, root, kept, choice, mapWaits, ...request }: LayoutRequest): void {
  const shape = shapeOf(request.shape);
  const beganMs = performance.now();
  const strands = strandsOf(shape, leaf, root);
  // Before the window has anything to draw, which would take time from it, or after that.
  const map = mapWaits ? undefined : layOutMap(strands, kept);
  const tookMs = performance.now() - beganMs;
  const outline = freshOutline(shape, strands, choice);
  waiting = mapWaits ? { id, strands, kept, tookMs } : undefined;
  answer({ id, strands: mapWaits ? copyOf(strands) : strands, outline });
  if (map) answer({ id, map, tookMs });
}

function placeWaiting({ id, strands, kept, tookMs }: NonNullable<typeof waiting>): void {
  waiting = undefined;
  const beganMs = performance.now();
  const map = layOutMap(strands, kept);
  answer({ id, map, tookMs: tookMs + performance.now() - beganMs });
}

/** With copies of what the map is made of: columns that have moved over are no longer here. */
function copyOf(strands: Strands): Strands {
  return {
    ...strands,
    of: strands.of.slice(),
    depth: strands.depth.slice(),
    start: strands.start.slice(),
    turns: strands.turns.slice(),
    fork: strands.fork.slice(),
    forkStart: strands.forkStart.slice(),
    forks: strands.forks.slice(),
  };
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
