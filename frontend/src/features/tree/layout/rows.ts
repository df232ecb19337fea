// The lines of the outline: turns and folded chains, depth first and in the order of creation. What continues a strand is the
// first of the alternatives at a fork: its line comes first, then the others with all below them, then the rest of the strand.

import { foldEnd } from "./chains";
import { byte, int } from "./columns";
import { type Folds, hidesRest, isFolded } from "./folds";
import type { ForkOrder } from "./fork-order";
import { FreeLanes } from "./free-lanes";
import { firstTurn, type Shape, type Strands } from "./strands";

/** What the lines of an outline depend on beside the tree. */
interface RowsView {
  /** Of anchorsOf. */
  anchors: Uint8Array;
  /** Of ruleFolds. */
  rule: Uint8Array;
  folds: Folds;
  /** Of keptTurns. */
  kept: Uint8Array | null;
  /** Of orderForks. */
  order: ForkOrder;
  /** Strand → 1 if a search leaves it out; null without a search. */
  hidden: Uint8Array | null;
}

/** The lines of an outline and the lanes beside them. */
export interface Rows {
  count: number;
  /** Row → its turn; of a folded chain its first one. */
  turn: Int32Array;
  /** Row → the number of turns in a folded chain; 0 for a turn. */
  chain: Int32Array;
  /** Turn → the row it is on, alone or in a folded chain; -1 where it is folded away or filtered out. */
  of: Int32Array;
  /** Strand → its lane; 0 is the trunk's. -1 where no line shows the strand. A lane belongs to its strand from `from` to `to`. */
  lane: Int32Array;
  /** Strand → the row that its line begins in: the one after the turn that it starts at, where few start there, else its first row. */
  from: Int32Array;
  /** Strand → the row of its last turn that has a line. */
  last: Int32Array;
  /** Strand → the row that its line ends in: its own last one, or the one whose top its forks leave from. */
  to: Int32Array;
  /** Strand → the level of its first turn: 1 for a root and for all of the trunk. The other turns of a fork are one level below its first. */
  level: Int32Array;
  /** The highest lane. */
  lastLane: number;
}

/** Lists the lines of an outline. O(turns), no recursion. */
export function rowsOf({ count }: Pick<Shape, "count">, strands: Strands, view: RowsView): Rows {
  // In an object of its own, see shapeOf.
  const { anchors, rule, folds, kept, order, hidden } = view;
  return new RowWriter(count, strands, { anchors, rule, folds, kept, order, hidden }).write();
}

/** A strand's place when one of its turns folds the rest, */
const over = -1;
/** and when its lane ended with the last of its forks. */
const handedOn = -2;

/** So many forks of a turn have lines of their own from the turn on; more would fill the gutter. */
export const mostApart = 8;

class RowWriter {
  readonly #strands: Strands;
  readonly #view: RowsView;
  readonly #lanes = new FreeLanes();
  readonly #rows: Rows;
  // The strands begun and not ended, outermost first: where each continues, the forks that are being written, and those of
  // the turn written last, which come after the strand's next turn.
  readonly #open: number[] = [];
  readonly #place: number[] = [];
  readonly #fork: number[] = [];
  readonly #forkEnd: number[] = [];
  readonly #later: number[] = [];
  readonly #laterEnd: number[] = [];

  constructor(turnCount: number, strands: Strands, view: RowsView) {
    this.#strands = strands;
    this.#view = view;
    const column = (length: number, value: number) => new Int32Array(length).fill(value);
    this.#rows = {
      count: 0,
      turn: column(turnCount, 0),
      chain: column(turnCount, 0),
      of: column(turnCount, -1),
      lane: column(strands.count, -1),
      from: column(strands.count, -1),
      last: column(strands.count, -1),
      to: column(strands.count, -1),
      level: column(strands.count, 1),
      lastLane: 0,
    };
  }

  write(): Rows {
    for (const root of [0, ...this.#view.order.roots]) if (this.#shows(root)) this.#writeRoot(root);
    const { count, turn, chain } = this.#rows;
    return {
      ...this.#rows,
      turn: turn.subarray(0, count),
      chain: chain.subarray(0, count),
      lastLane: this.#lanes.highest,
    };
  }

  #writeRoot(root: number): void {
    this.#begin(root, 1);
    while (this.#open.length > 0) {
      const top = this.#open.length - 1;
      const fork = this.#takeFork(top);
      if (fork >= 0) this.#beginFork(top, fork);
      else if (!this.#advance(top)) this.#end();
    }
  }

  // A strand shows where a turn of it is kept; its first one is then kept too.
  #shows(strand: number): boolean {
    const { start, turns } = this.#strands;
    const { hidden } = this.#view;
    if (hidden !== null && byte(hidden, strand) === 1) return false;
    const place = int(start, strand);
    return place < int(start, strand + 1) && this.#isKept(int(turns, place));
  }

  #isKept(turn: number): boolean {
    const { kept } = this.#view;
    return kept === null || byte(kept, turn) === 1;
  }

  #begin(strand: number, level: number): void {
    const { lane, from, level: levels } = this.#rows;
    if (int(lane, strand) < 0) {
      lane[strand] = strand === 0 ? 0 : this.#lanes.take();
      from[strand] = this.#rows.count;
    }
    levels[strand] = level;
    this.#open.push(strand);
    this.#place.push(int(this.#strands.start, strand));
    this.#fork.push(0);
    this.#forkEnd.push(0);
    this.#later.push(0);
    this.#laterEnd.push(0);
  }

  // The last fork of a strand that is over takes its line on, so the strand's lane is free from there.
  #beginFork(top: number, fork: number): void {
    const parent = this.#open[top] as number;
    const isLast =
      this.#nextFork(this.#fork[top] as number, this.#forkEnd[top] as number) < 0 &&
      this.#nextFork(this.#later[top] as number, this.#laterEnd[top] as number) < 0 &&
      this.#nextPlace(top) < 0;
    const { to, from, lane } = this.#rows;
    const leaves = int(lane, fork) < 0 ? this.#rows.count : int(from, fork);
    to[parent] = Math.max(int(to, parent), leaves);
    this.#begin(fork, levelOf(this.#strands, this.#rows, int(this.#strands.fork, fork)) + 1);
    if (!isLast) return;
    this.#lanes.release(int(this.#rows.lane, parent));
    this.#place[top] = handedOn;
  }

  #takeFork(top: number): number {
    const at = this.#nextFork(this.#fork[top] as number, this.#forkEnd[top] as number);
    if (at < 0) return -1;
    this.#fork[top] = at + 1;
    return int(this.#view.order.forks, at);
  }

  // The place in `forks` of the next one that shows; -1 for none.
  #nextFork(from: number, to: number): number {
    for (let at = from; at < to; at++) if (this.#shows(int(this.#view.order.forks, at))) return at;
    return -1;
  }

  // The place in `turns` of the strand's next turn that has a line or forks that do; -1 for none.
  #nextPlace(top: number): number {
    const strand = this.#open[top] as number;
    const end = int(this.#strands.start, strand + 1);
    for (let place = this.#place[top] as number; place >= 0 && place < end; place++) {
      const turn = int(this.#strands.turns, place);
      if (this.#isKept(turn) || this.#visibleForks(turn) > 0) return place;
    }
    return -1;
  }

  #visibleForks(turn: number): number {
    const { forkStart } = this.#strands;
    const { folds, rule } = this.#view;
    const from = int(forkStart, turn);
    const to = int(forkStart, turn + 1);
    if (from === to || isFolded(folds, rule, turn)) return 0;
    return this.#nextFork(from, to) < 0 ? 0 : to - from;
  }

  // Writes the strand's next line; false after the last one.
  #advance(top: number): boolean {
    const place = this.#nextPlace(top);
    if (place < 0) return this.#takeLater(top);
    const { turns } = this.#strands;
    const { anchors, folds } = this.#view;
    const turn = int(turns, place);
    const end = foldEnd(this.#strands, anchors, folds.opened, place);
    // Only the turn after a fork comes before what forks there: where that is filtered out, nothing does.
    const isNext = end === place && this.#isKept(turn) && place === (this.#place[top] as number);
    if (!isNext && this.#takeLater(top)) return true;
    if (end > place) {
      this.#writeChain(top, place, end);
      return true;
    }
    if (this.#isKept(turn)) this.#writeTurn(top, turn);
    const { rule } = this.#view;
    const isOver = hidesRest({ strands: this.#strands, folds, rule }, turn);
    this.#place[top] = isOver ? over : place + 1;
    this.#takeLater(top);
    this.#setLater(top, turn);
    return true;
  }

  // Makes the forks that wait the next ones to be written; false if none do.
  #takeLater(top: number): boolean {
    const from = this.#later[top] as number;
    const to = this.#laterEnd[top] as number;
    if (from === to) return false;
    this.#fork[top] = from;
    this.#forkEnd[top] = to;
    this.#later[top] = to;
    return true;
  }

  // Lets the forks of a turn wait. Their lines begin below the turn, so they have their lanes from there.
  #setLater(top: number, turn: number): void {
    const count = this.#visibleForks(turn);
    const from = int(this.#strands.forkStart, turn);
    this.#later[top] = from;
    this.#laterEnd[top] = from + count;
    if (count === 0 || count > mostApart) return;
    for (let at = from; at < from + count; at++) {
      const fork = int(this.#view.order.forks, at);
      if (!this.#shows(fork)) continue;
      this.#rows.lane[fork] = this.#lanes.take();
      this.#rows.from[fork] = this.#rows.count;
    }
  }

  #writeTurn(top: number, turn: number): void {
    const rows = this.#rows;
    rows.turn[rows.count] = turn;
    rows.of[turn] = rows.count;
    this.#endLine(top);
  }

  #writeChain(top: number, place: number, end: number): void {
    const rows = this.#rows;
    const { turns } = this.#strands;
    rows.turn[rows.count] = int(turns, place);
    rows.chain[rows.count] = end - place;
    for (let at = place; at < end; at++) rows.of[int(turns, at)] = rows.count;
    this.#endLine(top);
    this.#place[top] = end;
  }

  #endLine(top: number): void {
    const rows = this.#rows;
    const strand = this.#open[top] as number;
    rows.last[strand] = rows.count;
    rows.to[strand] = rows.count++;
  }

  #end(): void {
    const strand = this.#open.pop() as number;
    const place = this.#place.pop() as number;
    for (const stack of [this.#fork, this.#forkEnd, this.#later, this.#laterEnd]) stack.pop();
    if (place !== handedOn) this.#lanes.release(int(this.#rows.lane, strand));
  }
}

/** The level of a turn in the sense of ARIA: what folds with a turn is one level below it. */
export function levelOf(strands: Strands, rows: Rows, turn: number): number {
  const strand = int(strands.of, turn);
  const below = strand > 0 && firstTurn(strands, strand) !== turn ? 1 : 0;
  return int(rows.level, strand) + below;
}
