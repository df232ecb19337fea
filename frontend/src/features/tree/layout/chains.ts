// Long chains fold to one line, "… 214 turns". What the user looks for stays: where a strand begins,
// where it forks and what follows the fork, labels, the head, and the end of the trunk.

import { labelled } from "@/lib/tree/skeleton";
import { byte, int } from "./columns";
import type { Shape, Strands } from "./strands";

/** So many turns at the end of the trunk are never folded: they are the newest of most sessions. */
const tail = 12;
/** Fewer turns than this are not worth a fold: on the trunk, and off it. */
const least = { trunk: 4, off: 2 };

/** Turn → 1 where no chain's fold hides it. `pinned` are turns that must show, such as the head; -1 is ignored. */
export function anchorsOf(
  { count, flags }: Pick<Shape, "count" | "flags">,
  strands: Strands,
  pinned: readonly number[],
): Uint8Array {
  const { start, turns, forkStart } = strands;
  const anchors = new Uint8Array(count);
  for (let turn = 0; turn < count; turn++) {
    const forks = (forkStart[turn + 1] as number) - (forkStart[turn] as number);
    if (forks > 0 || (flags[turn] as number) & labelled) anchors[turn] = 1;
  }
  for (let strand = 0; strand < strands.count; strand++) {
    const first = start[strand] as number;
    const end = start[strand + 1] as number;
    if (first < end) anchors[turns[first] as number] = 1;
    // What continues the strand after a fork is one of the alternatives there.
    for (let place = first + 1; place < end; place++) {
      const above = turns[place - 1] as number;
      if ((forkStart[above + 1] as number) > (forkStart[above] as number))
        anchors[turns[place] as number] = 1;
    }
  }
  const trunkEnd = int(strands.start, 1);
  for (let place = Math.max(0, trunkEnd - tail); place < trunkEnd; place++)
    anchors[int(strands.turns, place)] = 1;
  for (const turn of pinned) if (turn >= 0) anchors[turn] = 1;
  return anchors;
}

/**
 * The end of the fold that begins at a place of `strands.turns`, the place after its last turn; the
 * place itself where nothing folds. `opened` are the turns that the user unfolded.
 */
export function foldEnd(
  strands: Strands,
  anchors: Uint8Array,
  opened: Uint8Array,
  place: number,
): number {
  const strand = int(strands.of, int(strands.turns, place));
  const end = int(strands.start, strand + 1);
  let at = place;
  for (; at < end; at++) {
    const turn = int(strands.turns, at);
    if (byte(anchors, turn) || byte(opened, turn)) break;
  }
  return at - place >= (strand === 0 ? least.trunk : least.off) ? at : place;
}

/** The turns around a turn that would fold with it if nobody had unfolded them: places from, and to (excluded). */
export function chainAround(
  strands: Strands,
  anchors: Uint8Array,
  place: number,
): { from: number; to: number } {
  const strand = int(strands.of, int(strands.turns, place));
  const isFree = (at: number) => byte(anchors, int(strands.turns, at)) === 0;
  let from = place;
  while (from > int(strands.start, strand) && isFree(from - 1)) from--;
  let to = place;
  while (to < int(strands.start, strand + 1) && isFree(to)) to++;
  return { from: Math.min(from, to), to };
}
