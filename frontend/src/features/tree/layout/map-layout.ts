// Where everything is on the map: depth downwards, one lane per strand, the path in lane 0 and every
// fork right of the strand it starts at. Strands that are not beside each other share a lane. Forks are
// placed deepest first, so that the line to a fork passes above the forks placed before it.

import { groupMembers, groupStarts, int } from "./columns";
import { keepLanes } from "./kept-lanes";
import { LaneTops } from "./lane-tops";
import type { Strands } from "./strands";

/** The places of strands on the map. Depths are those of Strands: a strand's turns have every depth from `top` to `bottom`. */
export interface MapLayout {
  lanes: number;
  /** The greatest depth + 1. */
  depths: number;
  /** Strand → its lane. */
  lane: Int32Array;
  /** Strand → the depth of its first turn. */
  top: Int32Array;
  /** Strand → the depth of its last turn; less than `top` for the empty path. */
  bottom: Int32Array;
  /** Lane → where its strands begin in `stacked`; one entry more than lanes. */
  laneStart: Int32Array;
  /** The strands of lane 0, top down, then those of lane 1 … */
  stacked: Int32Array;
  /** The turns that fork, by depth. */
  forking: Int32Array;
  /** Beside `forking`: the lane of the fork furthest to the right. */
  reach: Int32Array;
}

/** Places all strands, in the lanes of `kept` where that is possible (see keepLanes). O(turns + strands · log strands), no recursion. */
export function layOutMap(strands: Strands, kept: Int32Array | null = null): MapLayout {
  const { count, start, turns, depth } = strands;
  const top = new Int32Array(count);
  const bottom = new Int32Array(count).fill(-1);
  let depths = 0;
  for (let strand = 0; strand < count; strand++) {
    const from = start[strand] as number;
    const to = start[strand + 1] as number;
    if (from === to) continue;
    const end = depth[turns[to - 1] as number] as number;
    top[strand] = depth[turns[from] as number] as number;
    bottom[strand] = end;
    if (end >= depths) depths = end + 1;
  }
  const { lane, order } =
    (kept && keepLanes(strands, top, bottom, kept)) ?? placeStrands(strands, top, bottom);
  const lanes = highest(lane) + 1;
  return {
    lanes,
    depths,
    lane,
    top,
    bottom,
    ...stackLanes(lanes, lane, order),
    ...findForks(strands, depths, lane),
  };
}

function highest(lane: Int32Array): number {
  let most = 0;
  for (let strand = 0; strand < lane.length; strand++)
    if ((lane[strand] as number) > most) most = lane[strand] as number;
  return most;
}

function placeStrands(
  strands: Strands,
  top: Int32Array,
  bottom: Int32Array,
): { lane: Int32Array; order: Int32Array } {
  const { fork, of, roots } = strands;
  const lane = new Int32Array(strands.count);
  const order = new Int32Array(strands.count);
  const tops = new LaneTops(strands.count + 1);
  // Taken from the end: the path, then the other roots, each with all its forks.
  const todo = new Int32Array(strands.count);
  let left = 0;
  for (let root = roots.length - 1; root >= 0; root--) todo[left++] = roots[root] as number;
  todo[left++] = 0;
  for (let placed = 0; left > 0; placed++) {
    const strand = todo[--left] as number;
    if (strand !== 0) {
      const at = fork[strand] as number;
      const beside = at < 0 ? 0 : (lane[of[at] as number] as number);
      // One depth is left free below it, so that two strands in a lane do not look like one.
      lane[strand] = tops.find(beside, (bottom[strand] as number) + 1);
    }
    tops.put(lane[strand] as number, top[strand] as number);
    order[placed] = strand;
    left = pushForks(strands, strand, todo, left);
  }
  return { lane, order };
}

// The deepest fork is taken first, and of one turn the oldest. Returns how many strands are left to take.
function pushForks(strands: Strands, strand: number, todo: Int32Array, left: number): number {
  const { start, turns, forkStart, forks } = strands;
  const end = start[strand + 1] as number;
  for (let place = start[strand] as number; place < end; place++) {
    const turn = turns[place] as number;
    const first = forkStart[turn] as number;
    for (let at = (forkStart[turn + 1] as number) - 1; at >= first; at--)
      todo[left++] = forks[at] as number;
  }
  return left;
}

// A lane fills from the bottom up, so the order of placing turned round is top down.
function stackLanes(
  lanes: number,
  lane: Int32Array,
  order: Int32Array,
): Pick<MapLayout, "laneStart" | "stacked"> {
  const laneStart = groupStarts(lanes, lane);
  const stacked = new Int32Array(order.length);
  const next = laneStart.slice();
  for (let index = order.length - 1; index >= 0; index--) {
    const strand = order[index] as number;
    const at = lane[strand] as number;
    const place = next[at] as number;
    stacked[place] = strand;
    next[at] = place + 1;
  }
  return { laneStart, stacked };
}

function findForks(
  strands: Strands,
  depths: number,
  lane: Int32Array,
): Pick<MapLayout, "forking" | "reach"> {
  const { depth, forkStart, forks } = strands;
  // Turn → its depth where it forks; -1 where it does not.
  const forkDepth = new Int32Array(depth.length);
  for (let turn = 0; turn < depth.length; turn++) {
    const forksHere = (forkStart[turn + 1] as number) > (forkStart[turn] as number);
    forkDepth[turn] = forksHere ? (depth[turn] as number) : -1;
  }
  const forking = groupMembers(groupStarts(depths, forkDepth), forkDepth);
  const reach = new Int32Array(forking.length);
  for (let place = 0; place < forking.length; place++) {
    const turn = forking[place] as number;
    const end = forkStart[turn + 1] as number;
    let furthest = 0;
    for (let at = forkStart[turn] as number; at < end; at++)
      furthest = Math.max(furthest, lane[forks[at] as number] as number);
    reach[place] = furthest;
  }
  return { forking, reach };
}

/** The index in `stacked` of the first strand of a lane that ends at a depth or below it; the lane's end if none exists. */
export function firstInLane(layout: MapLayout, lane: number, depth: number): number {
  let from = int(layout.laneStart, lane);
  let to = int(layout.laneStart, lane + 1);
  while (from < to) {
    const middle = (from + to) >> 1;
    if (int(layout.bottom, int(layout.stacked, middle)) < depth) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The place in `forking` of the first turn of a depth or below it. */
export function firstForking(strands: Strands, layout: MapLayout, depth: number): number {
  let from = 0;
  let to = layout.forking.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (int(strands.depth, int(layout.forking, middle)) < depth) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The turn at a lane and a depth; -1 if none exists. */
export function turnAt(strands: Strands, layout: MapLayout, lane: number, depth: number): number {
  if (lane < 0 || lane >= layout.lanes) return -1;
  const at = firstInLane(layout, lane, depth);
  if (at === int(layout.laneStart, lane + 1)) return -1;
  const strand = int(layout.stacked, at);
  if (depth < int(layout.top, strand)) return -1;
  return int(strands.turns, int(strands.start, strand) + depth - int(layout.top, strand));
}
