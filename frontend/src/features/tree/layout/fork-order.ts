import type { Shape, Strands } from "./strands";

/** In which order alternatives are listed. */
export type SiblingOrder = "oldest" | "newest";

/** The strands that start at each turn, and those that begin at a root, in the order that they are listed in. */
export interface ForkOrder {
  /** As Strands.forks, each turn's own in order. */
  forks: Int32Array;
  roots: readonly number[];
}

/** Puts the forks of every turn into an order of time. O(forks · log forks). */
export function orderForks(
  { createdAtMs }: Pick<Shape, "createdAtMs">,
  strands: Strands,
  order: SiblingOrder,
): ForkOrder {
  const sign = order === "oldest" ? 1 : -1;
  const times = beginnings(createdAtMs, strands, sign);
  const compare = (a: number, b: number) =>
    (times[a] as number) - (times[b] as number) || sign * (a - b);
  const { forkStart } = strands;
  const forks = strands.forks.slice();
  for (let turn = 0; turn + 1 < forkStart.length; turn++) {
    const from = forkStart[turn] as number;
    const to = forkStart[turn + 1] as number;
    if (to - from > 1 && !isInOrder(forks, from, to, times, sign))
      forks.subarray(from, to).sort(compare);
  }
  return { forks, roots: [...strands.roots].sort(compare) };
}

/** Strand → when its first turn was created, times a sign; 0 for the empty path. */
function beginnings(
  createdAtMs: Float64Array,
  { count, start, turns }: Strands,
  sign: 1 | -1,
): Float64Array {
  const times = new Float64Array(count);
  for (let strand = 0; strand < count; strand++) {
    const first = start[strand] as number;
    if (first < (start[strand + 1] as number))
      times[strand] = sign * (createdAtMs[turns[first] as number] as number);
  }
  return times;
}

// Most forks are, and to sort them all costs the time of a frame.
function isInOrder(
  forks: Int32Array,
  from: number,
  to: number,
  times: Float64Array,
  sign: 1 | -1,
): boolean {
  for (let at = from + 1; at < to; at++) {
    const before = forks[at - 1] as number;
    const fork = forks[at] as number;
    const later = (times[fork] as number) - (times[before] as number);
    if (later < 0 || (later === 0 && sign * (fork - before) < 0)) return false;
  }
  return true;
}
