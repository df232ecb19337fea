// The lanes beside the outline's lines: what is drawn in one row.

import { int } from "../layout/columns";
import type { OutlineModel } from "../layout/outline-model";
import { isEntered } from "../layout/path-ends";
import { mostApart } from "../layout/rows";
import { firstTurn, nextOnStrand, placeOf } from "../layout/strands";
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
  /** The strand that it leaves at the row's top; -1 for a line that comes from above. */
  leaves: number;
  /** It is a part of the path on screen. */
  isOnPath: boolean;
}

/** How far above a row the lines of forks leave the strand that they start at. */
export const forkRise = 8;

const middle = rowHeight / 2;

/** The lines in one row, outermost strand first, its own strand last. O(ancestors of the row's strand). */
export function gutterRow(model: OutlineModel, row: number): GutterLine[] {
  const { strands, rows, path } = model;
  const turn = int(rows.turn, row);
  const own = int(strands.of, turn);
  const lines: GutterLine[] = [];
  let strand = own;
  for (let fork = int(strands.fork, own); fork >= 0; fork = int(strands.fork, strand)) {
    strand = int(strands.of, fork);
    const next = nextOnStrand(strands, fork);
    const isNextShown = next >= 0 && int(rows.of, next) >= 0 && int(rows.of, next) < row;
    const last = isNextShown ? next : fork;
    addWaiting(lines, model, row, fork);
    if (last !== fork) addWaiting(lines, model, row, last);
    // Shown at all, and not ended above.
    if (int(rows.lane, strand) >= 0 && row < int(rows.to, strand))
      lines.push({
        strand,
        from: 0,
        to: lineEnd(model, strand, row),
        isTail: row > int(rows.last, strand),
        leaves: -1,
        isOnPath: int(strands.depth, last) < int(path, strand),
      });
  }
  lines.reverse();
  const above = turnBefore(model, turn);
  if (above >= 0) addWaiting(lines, model, row, above);
  addOwn(lines, model, row);
  return lines;
}

/** A line with its shape as an SVG path. */
interface DrawnLine {
  line: GutterLine;
  d: string;
}

/**
 * The lines in one row, each shape once: beyond the last distinct lane all lines have one place, and in a deep tree there are
 * hundreds of them, of which one is visible. The path's line wins, else the innermost one.
 */
export function drawnRow(model: OutlineModel, row: number, size: GutterSize): DrawnLine[] {
  const xOf = (strand: number) => laneX(size, int(model.rows.lane, strand));
  const shapes = new Map<string, GutterLine>();
  for (const line of gutterRow(model, row)) {
    const x = xOf(line.strand);
    const d =
      line.leaves < 0
        ? `M${x} ${line.from}V${line.to}`
        : `M${xOf(line.leaves)} ${-forkRise}C${xOf(line.leaves)} 3 ${x} -1 ${x} ${middle}V${line.to}`;
    if (shapes.get(d)?.isOnPath && !line.isOnPath) continue;
    shapes.delete(d); // a later line is above
    shapes.set(d, line);
  }
  return [...shapes].map(([d, line]) => ({ d, line }));
}

// The turn before it on its strand; -1 for the first one.
function turnBefore({ strands }: OutlineModel, turn: number): number {
  const place = placeOf(strands, turn);
  return place > int(strands.start, int(strands.of, turn)) ? int(strands.turns, place - 1) : -1;
}

// Adds the lines of the forks of a turn that have begun above the row, or begin in it, and reach their own row below.
function addWaiting(
  lines: GutterLine[],
  { strands, rows, path }: OutlineModel,
  row: number,
  turn: number,
): void {
  const from = int(strands.forkStart, turn);
  const to = int(strands.forkStart, turn + 1);
  if (to - from > mostApart) return;
  for (let at = from; at < to; at++) {
    const strand = int(strands.forks, at);
    const first = firstTurn(strands, strand);
    if (int(rows.lane, strand) < 0 || int(rows.from, strand) > row || int(rows.of, first) <= row)
      continue;
    const leaves = int(rows.from, strand) === row ? int(strands.of, turn) : -1;
    const isOnPath = isEntered(strands, path, strand);
    lines.push({ strand, from: 0, to: rowHeight, isTail: false, leaves, isOnPath });
  }
}

// The line of the strand whose turn the row shows, above the turn and below it.
function addOwn(lines: GutterLine[], model: OutlineModel, row: number): void {
  const { strands, rows, path } = model;
  const turn = int(rows.turn, row);
  const strand = int(strands.of, turn);
  const end = int(path, strand);
  const depth = int(strands.depth, turn);
  const line = { strand, isTail: false, leaves: -1 };
  const fork = int(strands.fork, strand);
  const isFirst = row === int(rows.from, strand);
  const from = isFirst && fork >= 0 ? int(strands.of, fork) : -1;
  const leaves = from >= 0 && int(rows.lane, from) >= 0 ? from : -1;
  if (!isFirst || leaves >= 0)
    lines.push({ ...line, from: 0, to: middle, leaves, isOnPath: depth <= end });
  if (row >= int(rows.to, strand)) return;
  const isTail = row === int(rows.last, strand);
  const to = lineEnd(model, strand, row);
  lines.push({ ...line, from: middle, to, isTail, isOnPath: depth < end });
}

// The bottom of the row, or the place above it where the strand's forks take its line on.
function lineEnd({ rows }: OutlineModel, strand: number, row: number): number {
  const last = int(rows.to, strand);
  const isTakenOn = last === row + 1 && last !== int(rows.last, strand);
  return isTakenOn ? rowHeight - forkRise : rowHeight;
}
