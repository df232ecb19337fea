// Where the bars of a timeline are: as long as their turns worked, apart by breaks that are as long as they need to be seen.

/** The times of a turn. */
export interface TimelineSpan {
  startedMs: number;
  endedMs: number;
  workedMs: number;
}

/** The positions along the timeline, in pixels. Bar → … columns have one entry per bar. */
export interface TimelineLayout {
  at: Float64Array;
  size: Float64Array;
  /** Bar → the pause before it; 0 if that is none to speak of. */
  idleMs: Float64Array;
  length: number;
}

/** What a timeline is laid out in. */
export interface TimelineRoom {
  /** The length of what is in sight. */
  length: number;
  /** The least length of a bar, */
  leastBar: number;
  /** and of a break. */
  leastBreak: number;
  /** How much longer bars are than where all are in sight. */
  zoom: number;
}

/** Between bars without a break. */
const space = 3;
/** At both ends. */
export const timelineInset = 16;
/** Shorter pauses are no break: the user reads and types. */
const leastIdleMs = 15 * 60_000;
const hourMs = 60 * 60_000;
/** The longest bar takes at most so much of what is in sight, where not all bars are. */
const mostOfRoom = 0.5;

/** Lays bars out. O(bars). */
export function layOutTimeline(spans: readonly TimelineSpan[], room: TimelineRoom): TimelineLayout {
  const count = spans.length;
  const idleMs = idleTimes(spans);
  let breaks = 2 * timelineInset;
  for (let bar = 1; bar < count; bar++) breaks += breakSize(idleMs[bar] as number, room);
  const scale = room.zoom * scaleOf(spans, room.length - breaks, room);
  const at = new Float64Array(count);
  const size = new Float64Array(count);
  let end = timelineInset;
  for (let bar = 0; bar < count; bar++) {
    if (bar > 0) end += breakSize(idleMs[bar] as number, room);
    at[bar] = end;
    size[bar] = Math.max(room.leastBar, (spans[bar] as TimelineSpan).workedMs * scale);
    end += size[bar] as number;
  }
  return { at, size, idleMs, length: end + timelineInset };
}

/** Bar → the pause before it. Times that go backwards, as in a copied branch, are no pause. */
function idleTimes(spans: readonly TimelineSpan[]): Float64Array {
  const idle = new Float64Array(spans.length);
  for (let bar = 1; bar < spans.length; bar++) {
    const [before, now] = [spans[bar - 1] as TimelineSpan, spans[bar] as TimelineSpan];
    if (before.endedMs <= 0 || now.startedMs <= 0) continue;
    const ms = now.startedMs - before.endedMs;
    if (ms >= leastIdleMs) idle[bar] = ms;
  }
  return idle;
}

/** The length of a break: longer pauses are a little longer. */
function breakSize(idleMs: number, { leastBreak }: TimelineRoom): number {
  if (idleMs === 0) return space;
  if (idleMs < hourMs) return leastBreak;
  return idleMs < 8 * hourMs ? 1.25 * leastBreak : 1.5 * leastBreak;
}

/** Pixels per millisecond with which all bars are in the room, or if there are too many for it, with which most have more than the least length. */
function scaleOf(spans: readonly TimelineSpan[], room: number, { leastBar, length }: TimelineRoom) {
  let longest = 0;
  let worked = 0;
  for (const { workedMs } of spans) {
    longest = Math.max(longest, workedMs);
    worked += workedMs;
  }
  if (worked === 0) return 0;
  if (spans.length * leastBar >= room)
    return Math.min((2 * leastBar * spans.length) / worked, (mostOfRoom * length) / longest);
  // Bars of the least length take room from the others: each round finds more of them, until it finds none.
  let scale = room / worked;
  for (let round = 0; round < 20; round++) {
    let [rest, shared] = [room, 0];
    for (const { workedMs } of spans) {
      if (workedMs * scale <= leastBar) rest -= leastBar;
      else shared += workedMs;
    }
    const next = shared > 0 ? Math.max(0, rest) / shared : 0;
    if (Math.abs(next - scale) < scale / 1000) break;
    scale = next;
  }
  return scale;
}

/** The bars that reach into a range of the timeline, from the first to before the last. O(log bars). */
export function barsBetween({ at, size }: TimelineLayout, from: number, to: number) {
  const first = firstBar(at.length, (bar) => (at[bar] as number) + (size[bar] as number) >= from);
  return { first, last: firstBar(at.length, (bar) => (at[bar] as number) > to) };
}

function firstBar(count: number, isReached: (bar: number) => boolean): number {
  let [from, to] = [0, count];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isReached(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** A text below a bar. */
export interface AxisText {
  bar: number;
  at: number;
  room: number;
}

/** The bars of those from `first` to before `last` that have room for a text of some length below them. */
export function axisTexts(
  { at, size, length }: TimelineLayout,
  { first, last }: { first: number; last: number },
  wanted: number,
): AxisText[] {
  const texts: AxisText[] = [];
  for (let bar = first; bar < last; bar++) {
    const room = Math.max(wanted, size[bar] as number);
    const before = texts.at(-1);
    // The last one may begin before its bar, to end where the timeline does.
    const start = Math.max(0, Math.min(at[bar] as number, length - room));
    if (before && start < before.at + before.room) continue;
    texts.push({ bar, at: start, room });
  }
  return texts;
}

/** Reports whether a bar begins on another day than the one before it. */
export function beginsDay(spans: readonly TimelineSpan[], bar: number): boolean {
  const day = (of: number) => new Date(spans[of]?.startedMs ?? 0).setHours(0, 0, 0, 0);
  return bar === 0 || day(bar) !== day(bar - 1);
}
