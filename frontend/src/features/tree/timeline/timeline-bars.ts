// The path on screen as a timeline: one bar for each turn, whose parts on the path are one bar.

import type { Skeleton } from "@/lib/tree/skeleton";
import { int } from "../layout/columns";
import type { PathEnds } from "../layout/path-ends";
import type { Strands } from "../layout/strands";

/** A turn on the timeline. */
export interface TimelineBar {
  /** The first of its parts on the path. */
  turn: number;
  /** The parts of the turn that are on the path, most often one. */
  parts: readonly number[];
  /** How many other branches begin in the turn or after it. */
  forks: number;
}

/** Longer paths show their last turns alone: the times of all turns on the timeline are read to lay it out. */
export const mostBars = 10_000;

/** A tree with fewer branches besides the trunk is shown as a timeline. */
const leastForks = 2;

/** Reports whether a tree has so few forks that a map of it would be a line. */
export function isNearlyLinear({ count }: Strands): boolean {
  return count - 1 < leastForks;
}

/** Returns the bars of a path, the first turn first, at most the last `mostBars`. O(strands + turns of the path). */
export function barsOf(skeleton: Skeleton, strands: Strands, path: PathEnds): TimelineBar[] {
  const turns = turnsOfPath(strands, path);
  const bars: { turn: number; parts: number[]; forks: number }[] = [];
  for (const turn of turns) {
    const last = bars.at(-1);
    if (last) last.forks += int(strands.alternatives, turn) - 1;
    if (last && int(skeleton.number, last.turn) === int(skeleton.number, turn))
      last.parts.push(turn);
    else bars.push({ turn, parts: [turn], forks: 0 });
  }
  return bars.length > mostBars ? bars.slice(-mostBars) : bars;
}

function turnsOfPath(strands: Strands, path: PathEnds): number[] {
  const entered: number[] = [];
  for (let strand = 0; strand < path.length; strand++)
    if (int(path, strand) >= 0) entered.push(strand);
  entered.sort((a, b) => int(path, a) - int(path, b));
  const turns: number[] = [];
  for (const strand of entered)
    for (let at = int(strands.start, strand); at < int(strands.start, strand + 1); at++) {
      const turn = int(strands.turns, at);
      if (int(strands.depth, turn) > int(path, strand)) break;
      turns.push(turn);
    }
  return turns;
}
