// Where everything is on the map: depth downwards, one lane per strand, the path in lane 0 and every
// fork right of what it hangs on. Strands that do not stand beside each other share a lane. Forks are
// placed deepest first, so that the line to a fork passes above the forks placed before it.

import { int } from "./columns";
import { keepLanes } from "./kept-lanes";
import { LaneTops } from "./lane-tops";
import { firstTurn, lastTurn, type Strands, strandLength } from "./strands";

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
  const { count } = strands;
  const top = new Int32Array(count);
  const bottom = new Int32Array(count).fill(-1);
  let depths = 0;
  for (let strand = 0; strand < count; strand++) {
    if (strandLength(strands, strand) === 0) continue;
    top[strand] = int(strands.depth, firstTurn(strands, strand));
    bottom[strand] = int(strands.depth, lastTurn(strands, strand));
    depths = Math.max(depths, int(bottom, strand) + 1);
  }
  const { lane, order } =
    (kept && keepLanes(strands, top, bottom, kept)) ?? placeStrands(strands, top, bottom);
  const lanes = lane.reduce((most, at) => Math.max(most, at), 0) + 1;
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

function placeStrands(
  strands: Strands,
  top: Int32Array,
  bottom: Int32Array,
): { lane: Int32Array; order: Int32Array } {
  const lane = new Int32Array(strands.count);
  const order = new Int32Array(strands.count);
  const tops = new LaneTops(strands.count + 1);
  // Taken from the end: the path, then the other roots, each with all its forks.
  const todo = [...strands.roots].reverse();
  todo.push(0);
  let placed = 0;
  for (let strand = todo.pop(); strand !== undefined; strand = todo.pop()) {
    if (strand !== 0) {
      const fork = int(strands.fork, strand);
      const beside = fork < 0 ? 0 : int(lane, int(strands.of, fork));
      // One depth is left free below it, so that two strands in a lane do not look like one.
      lane[strand] = tops.find(beside, int(bottom, strand) + 1);
    }
    tops.put(int(lane, strand), int(top, strand));
    order[placed++] = strand;
    pushForks(strands, strand, todo);
  }
  return { lane, order };
}

// The deepest fork is taken first, and of one turn the oldest.
function pushForks(strands: Strands, strand: number, todo: number[]): void {
  const { start, turns, forkStart, forks } = strands;
  for (let place = int(start, strand); place < int(start, strand + 1); place++) {
    const turn = int(turns, place);
    for (let at = int(forkStart, turn + 1) - 1; at >= int(forkStart, turn); at--)
      todo.push(int(forks, at));
  }
}

// A lane fills from the bottom up, so the order of placing turned round is top down.
function stackLanes(
  lanes: number,
  lane: Int32Array,
  order: Int32Array,
): Pick<MapLayout, "laneStart" | "stacked"> {
  const laneStart = new Int32Array(lanes + 1);
  for (const at of lane) laneStart[at + 1] = int(laneStart, at + 1) + 1;
  for (let at = 0; at < lanes; at++)
    laneStart[at + 1] = int(laneStart, at + 1) + int(laneStart, at);
  const stacked = new Int32Array(order.length);
  const next = laneStart.slice();
  for (let index = order.length - 1; index >= 0; index--) {
    const strand = int(order, index);
    const at = int(lane, strand);
    stacked[int(next, at)] = strand;
    next[at] = int(next, at) + 1;
  }
  return { laneStart, stacked };
}

function findForks(
  strands: Strands,
  depths: number,
  lane: Int32Array,
): Pick<MapLayout, "forking" | "reach"> {
  const { depth, forkStart, forks } = strands;
  const forksAt = (turn: number) => int(forkStart, turn + 1) > int(forkStart, turn);
  const next = new Int32Array(depths + 1);
  for (let turn = 0; turn < depth.length; turn++)
    if (forksAt(turn)) next[int(depth, turn) + 1] = int(next, int(depth, turn) + 1) + 1;
  for (let at = 0; at < depths; at++) next[at + 1] = int(next, at + 1) + int(next, at);
  const forking = new Int32Array(int(next, depths));
  const reach = new Int32Array(forking.length);
  for (let turn = 0; turn < depth.length; turn++) {
    if (!forksAt(turn)) continue;
    const place = int(next, int(depth, turn));
    next[int(depth, turn)] = place + 1;
    forking[place] = turn;
    for (let at = int(forkStart, turn); at < int(forkStart, turn + 1); at++)
      reach[place] = Math.max(int(reach, place), int(lane, int(forks, at)));
  }
  return { forking, reach };
}

/** The place in `stacked` of the first strand of a lane that ends at a depth or below it; the lane's end where there is none. */
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

/** The turn at a lane and a depth; -1 where there is none. */
export function turnAt(strands: Strands, layout: MapLayout, lane: number, depth: number): number {
  if (lane < 0 || lane >= layout.lanes) return -1;
  const at = firstInLane(layout, lane, depth);
  if (at === int(layout.laneStart, lane + 1)) return -1;
  const strand = int(layout.stacked, at);
  if (depth < int(layout.top, strand)) return -1;
  return int(strands.turns, int(strands.start, strand) + depth - int(layout.top, strand));
}
