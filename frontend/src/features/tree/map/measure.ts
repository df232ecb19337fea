// What the size of a turn on the map shows: how many steps it has, what it cost, or how long it took.

import { priced, type Skeleton } from "@/lib/tree/skeleton";
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
    const cost = costOf(scene.skeleton, turn);
    return cost < 0 || scene.mostCostNanoUsd === 0 ? -1 : Math.sqrt(cost / scene.mostCostNanoUsd);
  }
  const effort = work.efforts.get(turn);
  if (!effort) {
    unsized.push(turn);
    return -1;
  }
  return shareOf(measure, effort);
}

/** The size of so many steps, or of so much time, from 0 to 1. */
export function shareOf(
  measure: Exclude<Measure, "cost">,
  { steps, workedMs }: { steps: number; workedMs: number },
): number {
  const share = measure === "steps" ? steps / mostSteps : workedMs / mostMs;
  return Math.sqrt(Math.min(1, share));
}

type SizedFrame = Pick<MapFrame, "work" | "measure" | "unsized"> & {
  scene: Pick<MapScene, "skeleton" | "mostCostNanoUsd">;
};

type Costs = Pick<Skeleton, "flags" | "costNanoUsd" | "estimatedCostNanoUsd">;

/** What a turn cost, for its size only: what was billed, and the list price of the rest; -1 if neither is known. */
export function costOf({ flags, costNanoUsd, estimatedCostNanoUsd }: Costs, turn: number): number {
  const estimated = estimatedCostNanoUsd[turn] ?? 0;
  if (!(byte(flags, turn) & priced) && estimated === 0) return -1;
  return (costNanoUsd[turn] ?? 0) + estimated;
}

/** The highest known cost of a turn. */
export function highestCost(costs: Costs): number {
  let most = 0;
  for (let turn = 0; turn < costs.costNanoUsd.length; turn++)
    most = Math.max(most, costOf(costs, turn));
  return most;
}
