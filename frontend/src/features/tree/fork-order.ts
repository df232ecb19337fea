import type { Skeleton } from "@/lib/skeleton";
import { int } from "./columns";
import { firstTurn, type Strands } from "./strands";

/** In which order alternatives are listed. */
export type SiblingOrder = "oldest" | "newest";

/** The strands that hang on each turn, and those that begin at a root, in the order that they are listed in. */
export interface ForkOrder {
  /** As Strands.forks, each turn's own in order. */
  forks: Int32Array;
  roots: readonly number[];
}

/** Puts the forks of every turn into an order of time. O(forks · log forks). */
export function orderForks(
  { createdAtMs }: Skeleton,
  strands: Strands,
  order: SiblingOrder,
): ForkOrder {
  const sign = order === "oldest" ? 1 : -1;
  const timeOf = (strand: number) => createdAtMs[firstTurn(strands, strand)] ?? 0;
  const compare = (a: number, b: number) => sign * (timeOf(a) - timeOf(b) || a - b);
  const { forkStart } = strands;
  const forks = strands.forks.slice();
  for (let turn = 0; turn + 1 < forkStart.length; turn++) {
    const from = forkStart[turn] as number;
    const to = forkStart[turn + 1] as number;
    if (to - from > 1 && !isInOrder(forks, from, to, compare))
      forks.subarray(from, to).sort(compare);
  }
  return { forks, roots: [...strands.roots].sort(compare) };
}

// Most forks are, and to sort them all costs the time of a frame.
function isInOrder(
  forks: Int32Array,
  from: number,
  to: number,
  compare: (a: number, b: number) => number,
): boolean {
  for (let at = from + 1; at < to; at++)
    if (compare(int(forks, at - 1), int(forks, at)) > 0) return false;
  return true;
}
