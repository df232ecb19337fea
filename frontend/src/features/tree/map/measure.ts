// What the size of a turn on the map shows: how many steps it has, what it cost, or how long it took.

import { priced } from "@/lib/tree/skeleton";
import { byte } from "../layout/columns";
import type { MapFrame } from "./map-frame";
import type { MapScene } from "./map-scene";

export type Measure = "steps" | "cost" | "time";

export const measures: readonly Measure[] = ["steps", "cost", "time"];

/** A turn of so many steps, or of so much time, has the full size. Scales that do not depend on the tree keep sizes as they are while it grows. */
const mostSteps = 100;
const mostMs = 60 * 60_000;

/**
 * The size of a turn from 0 to 1; -1 if it is not known, or not yet. The root makes differences among small turns visible
 * beside large ones.
 */
export function sizeOf({ scene, work, measure, unsized }: SizedFrame, turn: number): number {
  if (measure === "cost") {
    const { flags, costNanoUsd } = scene.skeleton;
    if (!(byte(flags, turn) & priced) || scene.mostCostNanoUsd === 0) return -1;
    return Math.sqrt((costNanoUsd[turn] ?? 0) / scene.mostCostNanoUsd);
  }
  const effort = work.efforts.get(turn);
  if (!effort) {
    unsized.push(turn);
    return -1;
  }
  const share = measure === "steps" ? effort.steps / mostSteps : effort.workedMs / mostMs;
  return Math.sqrt(Math.min(1, share));
}

type SizedFrame = Pick<MapFrame, "work" | "measure" | "unsized"> & {
  scene: Pick<MapScene, "skeleton" | "mostCostNanoUsd">;
};

/** The highest known cost of a turn. */
export function highestCost(costNanoUsd: Float64Array): number {
  let most = 0;
  for (const cost of costNanoUsd) if (cost > most) most = cost;
  return most;
}
