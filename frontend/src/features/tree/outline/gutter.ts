// The lanes beside the outline's lines: what is drawn in one row.

import { int } from "../layout/columns";
import type { OutlineModel } from "../layout/outline-model";
import { rowHeight } from "./row-height";

/** Measures of the lanes, in pixels. */
export interface GutterSize {
  /** Of the whole gutter. */
  width: number;
  /** Between two lanes. */
  step: number;
}

/** Left of lane 0. */
const margin = 18;
/** Lanes closer than this cannot be distinguished; further ones share the last one. */
const leastStep = 5;

/** The size of the gutter for so many lanes: 14 px each while there is room, closer together when there are many. */
export function gutterSize(lastLane: number): GutterSize {
  const step = lastLane <= 5 ? 14 : Math.max(leastStep, 70 / lastLane);
  return { step, width: margin + Math.min(70, lastLane * step) + 14 };
}

/** Where a lane is, in pixels from the left. */
export function laneX({ step, width }: GutterSize, lane: number): number {
  return Math.min(margin + lane * step, width - 14);
}

/** A line in a row: its strand, and the heights it begins and ends at. */
interface GutterLine {
  strand: number;
  from: number;
  to: number;
  /** Below the strand's last turn: it only leads on to forks of that. */
  isTail: boolean;
}

/** How far above a fork's row its line leaves the strand that it starts at. */
export const forkRise = 8;

/** What a row shows of the lanes: lines, outermost strand first, and where its own strand leaves another. */
interface GutterRow {
  lines: GutterLine[];
  /** The strand that the row's own one leaves at the row's top; -1 for none. */
  leaves: number;
}

const middle = rowHeight / 2;

/** The lanes in one row. O(ancestors of the row's strand). */
export function gutterRow(model: OutlineModel, row: number): GutterRow {
  const { strands, rows } = model;
  const own = int(strands.of, int(rows.turn, row));
  const lines: GutterLine[] = [];
  let strand = own;
  for (let fork = int(strands.fork, own); fork >= 0; fork = int(strands.fork, strand)) {
    strand = int(strands.of, fork);
    // Shown at all, and not ended above: a strand that another one ends leaves at the top of its row.
    if (int(rows.lane, strand) >= 0 && row < int(rows.to, strand))
      lines.push({
        strand,
        from: 0,
        to: lineEnd(model, strand, row),
        isTail: row > int(rows.last, strand),
      });
  }
  const fork = int(strands.fork, own);
  const leaves = row === int(rows.from, own) && fork >= 0 ? int(strands.of, fork) : -1;
  return {
    lines: [...lines.reverse(), ...ownLines(model, own, row)],
    leaves: leaves >= 0 && int(rows.lane, leaves) >= 0 ? leaves : -1,
  };
}

// The line of the strand whose turn the row shows, above the turn and below it.
function ownLines(model: OutlineModel, strand: number, row: number): GutterLine[] {
  const { rows } = model;
  const lines: GutterLine[] = [];
  if (row > int(rows.from, strand)) lines.push({ strand, from: 0, to: middle, isTail: false });
  if (row < int(rows.to, strand)) {
    const isTail = row === int(rows.last, strand);
    lines.push({ strand, from: middle, to: lineEnd(model, strand, row), isTail });
  }
  return lines;
}

// The bottom of the row, or the place above it where the last of the strand's forks takes its line on.
function lineEnd({ rows }: OutlineModel, strand: number, row: number): number {
  const last = int(rows.to, strand);
  const isTakenOn = last === row + 1 && last !== int(rows.last, strand);
  return isTakenOn ? rowHeight - forkRise : rowHeight;
}
