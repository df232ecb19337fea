// The hits of the search of which one was opened last, in their order, so that the transcript can go to the next one.

import { createStore, useStore } from "@/lib/store/store";
import type { Passage } from "./location";

/** A message that was found, and where in it. */
export interface TrailHit {
  readonly sessionId: string;
  readonly uid: string;
  readonly passage: Passage;
}

/** The hits of a search, and which of them is on screen. */
export interface HitTrail {
  readonly hits: readonly TrailHit[];
  readonly index: number;
  /** More messages match than there are hits here. */
  readonly more: boolean;
}

const trail = createStore<HitTrail | undefined>(undefined);

/** Begins a trail at the hit that was opened. */
export function beginTrail(next: HitTrail): void {
  trail.set(next);
}

/** Forgets the trail. */
export function endTrail(): void {
  trail.set(undefined);
}

/** Moves to the hit after (1) or before (-1) the current one and returns it; undefined at either end. */
export function stepTrail(by: 1 | -1): TrailHit | undefined {
  const now = trail.get();
  const hit = now?.hits[now.index + by];
  if (!now || !hit) return undefined;
  trail.set({ ...now, index: now.index + by });
  return hit;
}

/** The trail, while one of its hits was opened last. */
export function useHitTrail(): HitTrail | undefined {
  return useStore(trail, (now) => now);
}
