import { Heights } from "./heights";

/** Where a row is to stand: it is kept there while heights become known, until release. */
export interface Goal {
  index: number;
  /** "nearest" moves as little as needed; a number is the distance of the row's top from the top of the view. */
  align: "start" | "center" | "end" | "nearest" | number;
}

/** The end of the path, however it grows. */
export const theEnd: Goal = { index: Number.MAX_SAFE_INTEGER, align: "end" };

/** What is taken for the height of a row that was not measured yet. */
export const estimatedHeight = 96;

/** What is taken for the usual height while no row is known, and the least it is: that of a line, so that few are drawn in vain. */
const firstUsual = 36;
const leastUsual = 24;

/** Space above the first and below the last row. */
const padding = { top: 12, bottom: 24 };

/** Engines lay out no box taller than about 33 million pixels; a longer path is scrolled on a shorter scale. */
const maxSpan = 8_000_000;

/** At both ends of a shortened scale, this many pixels are as long as they look. */
const exactZone = 100_000;

/** From this far on, a scroll is a jump (a dragged scroll bar) and means a place on the scale, not a distance. */
const jumpViews = 3;
const jumpPixels = 3000;

/**
 * The positions of the rows in a scrolled view. They depend on one row, the anchor: only it
 * has a place in the scrolled box, all others are counted from it. So heights that become known
 * above, below or far away never move what is being read. The scroll bar is put right when nothing
 * moves (settle), together with the rows, which is not seen.
 *
 * Words: a *place* is a distance from the top of the whole path, as long as the heights say; a
 * *spot* is a coordinate in the scrolled box, whose scale may be shorter.
 */
export class Column {
  #heights: Heights;
  #viewHeight = 0;
  #scrollTop = 0;
  #anchor = { index: 0, spot: padding.top };
  #goal: Goal | undefined;
  #tail = 0;
  #follows = false;

  constructor(length: number, estimate = estimatedHeight) {
    this.#heights = new Heights(length, estimate);
  }

  get length(): number {
    return this.#heights.length;
  }

  /** Where the scrolled box is to stand; the view follows after every call. */
  get scrollTop(): number {
    return this.#scrollTop;
  }

  /** The height of the scrolled box. */
  get span(): number {
    return Math.min(this.#whole, maxSpan);
  }

  get #whole(): number {
    return padding.top + this.#heights.total + this.#tail + padding.bottom;
  }

  get #lastPlace(): number {
    return Math.max(0, this.#whole - this.#viewHeight);
  }

  /** The place at the top of the view. */
  get place(): number {
    return this.#placeOf(this.#anchor.index) + this.#scrollTop - this.#anchor.spot;
  }

  /** The end of the path is in view. */
  get isAtEnd(): boolean {
    return this.place >= this.#lastPlace - 1;
  }

  /** See follow. */
  get follows(): boolean {
    return this.#follows;
  }

  /** Reports whether a view at the end stays there while the path grows. */
  follow(on: boolean): void {
    this.#follows = on;
  }

  /** Where a row begins in the scrolled box; of the row after the last: the content below all of them. */
  spotOf(index: number): number {
    return this.#anchor.spot + this.#heights.top(index) - this.#heights.top(this.#anchor.index);
  }

  /** How far a row's top is from the top of the view. */
  offsetOf(index: number): number {
    return this.spotOf(index) - this.#scrollTop;
  }

  /** The first row that is on screen. */
  get firstVisible(): number {
    return this.#heights.indexAt(this.place - padding.top);
  }

  /** The row that is read: the one below the margin that goTo leaves at the top of the view. The pixel more is for rounded positions. */
  get firstRead(): number {
    return this.#heights.indexAt(this.place + 1);
  }

  /** The rows to draw: those on screen and so many pixels around, or some more where rows there may be lower than was estimated. */
  range(around: number): { first: number; last: number } {
    const top = this.place - padding.top;
    const seen = this.firstVisible;
    const first = this.#heights.indexAt(top - around);
    const last = this.#heights.indexAt(top + this.#viewHeight + around);
    const usual = this.#usualHeight(first, last);
    return {
      first: Math.max(0, first - this.#missing(first, seen - 1, usual)),
      last: Math.min(Math.max(0, this.length - 1), last + this.#missing(seen, last, usual)),
    };
  }

  /** What the known rows of a range have on average, within what is taken for the height of others. */
  #usualHeight(first: number, last: number): number {
    let known = 0;
    let total = 0;
    for (let row = first; row <= last; row++) {
      if (!this.isKnown(row)) continue;
      known++;
      total += this.#heights.of(row);
    }
    return known === 0 ? firstUsual : clamp(total / known, leastUsual, estimatedHeight);
  }

  /**
   * How many rows a range lacks if what is not known there is as high as usual. To draw and measure low rows a few at a time
   * takes many rounds.
   */
  #missing(first: number, last: number, usual: number): number {
    let unknown = 0;
    for (let row = first; row <= last; row++) if (!this.isKnown(row)) unknown++;
    return Math.ceil((unknown * (estimatedHeight - usual)) / usual);
  }

  /** Reports whether the row was measured. */
  isKnown(index: number): boolean {
    return this.#heights.isKnown(index);
  }

  /** The view got another height. Who is at the end stays there. */
  resize(viewHeight: number): void {
    if (viewHeight === this.#viewHeight) return;
    // A short path that is only read begins at its beginning.
    const stays = this.#viewHeight > 0 && this.isAtEnd && (this.place > 0 || this.#follows);
    this.#viewHeight = viewHeight;
    if (stays) this.#hang(this.#lastPlace);
    this.#correct();
  }

  /**
   * The view was found with this height and at this position, after the user or the browser changed it. Reports whether it was a jump.
   * A browser moves a view up when it gets higher at the end. So one that is kept at the end was not scrolled if its height has changed,
   * even if it is lower by now.
   */
  found(viewHeight: number, scrollTop: number): boolean {
    const isKept = this.#goal === theEnd || (this.#follows && this.isAtEnd);
    const byBrowser = isKept && viewHeight !== this.#viewHeight;
    if (byBrowser) this.moved(scrollTop);
    const isJump = !byBrowser && this.scrolled(scrollTop);
    this.resize(viewHeight);
    return isJump;
  }

  /** The path is another one, or grew: rows below `shared` stay what they are. */
  replace(length: number, shared: number): void {
    const { index, align } = this.#rest();
    const stays = this.#follows && this.isAtEnd;
    const grown = this.length;
    this.#heights = this.#heights.forPath(length, shared);
    // What was written below the last row has mostly become the next one, which looks the same.
    if (this.#tail > 0 && length > grown && shared === grown) {
      this.#heights.set(grown, this.#tail);
      this.#tail = 0;
    }
    const kept = Math.max(0, Math.min(index, length - 1));
    this.#anchor = { index: kept, spot: this.#scrollTop + align };
    if (stays) this.#hang(this.#lastPlace);
    this.#correct();
  }

  /** Applies a scroll by the user. Reports whether it was a jump. */
  scrolled(scrollTop: number): boolean {
    const distance = Math.abs(scrollTop - this.#scrollTop);
    if (distance < 1) {
      this.moved(scrollTop);
      return false;
    }
    this.#goal = undefined;
    const jump = distance > Math.max(jumpViews * this.#viewHeight, jumpPixels);
    this.#scrollTop = scrollTop;
    if (jump) this.#hang(this.#placeAt(scrollTop));
    // Who goes to the end stays there when the last rows turn out to be taller.
    if (scrollTop >= this.span - this.#viewHeight - 1) this.#goal = theEnd;
    this.#correct();
    return jump;
  }

  /** The view could not be set to just the number that was asked for. Nothing moves on screen. */
  moved(scrollTop: number): void {
    this.#anchor.spot += scrollTop - this.#scrollTop;
    this.#scrollTop = scrollTop;
  }

  /**
   * Heights became known: of rows, and of the content below the last one. The first known row on
   * screen stays where it is, or the end where it is followed.
   */
  measure(changes: ReadonlyMap<number, number>, tail = 0): void {
    const stays = this.#follows && this.isAtEnd;
    const { index, align } = this.#rest();
    let changed = Math.abs(tail - this.#tail) >= 0.01;
    this.#tail = tail;
    for (const [row, height] of changes) {
      if (this.#heights.isKnown(row) && Math.abs(this.#heights.of(row) - height) < 0.01) continue;
      this.#heights.set(row, height);
      changed = true;
    }
    if (!changed && this.#goal === undefined) return;
    this.#anchor = { index, spot: this.#scrollTop + align };
    if (this.#goal) this.#reach(this.#goal);
    else if (stays) this.#hang(this.#lastPlace);
    this.#correct();
  }

  /** Brings a row to its place, and keeps it there until release or a scroll. */
  goTo(goal: Goal): void {
    this.#goal = goal;
    this.#reach(goal);
    this.settle();
  }

  /** Lets the row go that goTo has brought. */
  release(): void {
    this.#goal = undefined;
  }

  /** Puts the scroll bar right. Nothing moves on screen. */
  settle(): void {
    this.moved(this.#spotAt(this.place));
  }

  /** A row that keeps its place when heights change: the first one on screen that is known, else the first. */
  #rest(): { index: number; align: number } {
    const first = this.firstVisible;
    const end = this.place - padding.top + this.#viewHeight;
    for (let index = first; index < this.length && this.#heights.top(index) < end; index++) {
      if (this.#heights.isKnown(index) && this.#heights.of(index) > 0)
        return { index, align: this.offsetOf(index) };
    }
    return { index: first, align: this.offsetOf(first) };
  }

  #reach({ index, align }: Goal): void {
    const top = this.#placeOf(index);
    const height = this.#heights.of(index);
    const room = this.#viewHeight;
    const margin = padding.top;
    const start = top - margin;
    const end = top + height + padding.bottom - room;
    const tall = height > room - 2 * margin;
    let place: number;
    if (typeof align === "number") place = top - align;
    else if (align === "end") place = index >= this.length - 1 ? this.#lastPlace : end;
    else if (align === "center") place = tall ? start : top + height / 2 - room / 2;
    else if (align === "start" || tall) place = start;
    else place = Math.max(end, Math.min(start, this.place));
    // A tall row that is being read stays; "nearest" does not move it.
    if (align === "nearest" && tall && this.place > start && this.place < end) return;
    this.#hang(this.#clamp(place));
  }

  /** Hangs the rows so that the place is at the top of the view. */
  #hang(place: number): void {
    const index = this.#heights.indexAt(place - padding.top);
    this.#anchor = { index, spot: this.#scrollTop + this.#placeOf(index) - place };
  }

  /** Keeps the view within the path, and the ends of the path reachable. */
  #correct(): void {
    const place = this.place;
    const clamped = this.#clamp(place);
    if (clamped !== place) this.#hang(clamped);
    // Near an end the scroll bar must be right, or it would stop before the path does.
    const near = 2 * this.#viewHeight;
    const spots = this.span - this.#viewHeight;
    if (
      Math.min(clamped, this.#lastPlace - clamped) < near ||
      Math.min(this.#scrollTop, spots - this.#scrollTop) < near
    )
      this.settle();
  }

  #clamp(place: number): number {
    return Math.max(0, Math.min(place, this.#lastPlace));
  }

  #placeOf(index: number): number {
    return padding.top + this.#heights.top(index);
  }

  /** Where the scroll bar belongs at a place. */
  #spotAt(place: number): number {
    const places = this.#lastPlace;
    const spots = Math.max(0, this.span - this.#viewHeight);
    if (places <= spots || place <= exactZone) return place;
    if (places - place <= exactZone) return spots - (places - place);
    return exactZone + ((place - exactZone) * (spots - 2 * exactZone)) / (places - 2 * exactZone);
  }

  /** The place that a scroll bar means; the inverse of #spotAt. */
  #placeAt(spot: number): number {
    const places = this.#lastPlace;
    const spots = Math.max(0, this.span - this.#viewHeight);
    if (places <= spots || spot <= exactZone) return spot;
    if (spots - spot <= exactZone) return places - (spots - spot);
    return exactZone + ((spot - exactZone) * (places - 2 * exactZone)) / (spots - 2 * exactZone);
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
