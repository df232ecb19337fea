import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { afterPaint } from "@/lib/after-paint";
import { Column, type Goal } from "./column";

/** Rows are drawn this far before they come into view, but for those that a path opens with: they are to be seen first. */
const aroundPixels = 900;
/** After this time without a scroll the scroll bar is put right. */
const restMs = 150;
/** After a jump, pages are fetched when it has stood still for this long: a dragged scroll bar passes many. */
const jumpMs = 70;
/** What is taken for the height of all that stands above and below a view that opens, so that its first rows are drawn at once. */
const besideView = 330;
/** So long a row that was gone to keeps its place while what is around it comes, unless a person does something. */
const goalMs = 1000;

/** The rows to draw, both included, and the first one on screen. */
export interface Range {
  first: number;
  last: number;
  top: number;
}

/** What a column opens with. */
export interface Opening {
  /** Of the path; undefined where that is not known yet. */
  length: number | undefined;
  /** The row to open at; undefined: the first one. */
  goal: Goal | undefined;
}

export interface ColumnView {
  range: Range;
  /** The rows that the path opened with have been painted. */
  isPainted: boolean;
  /** True while a scroll bar is dragged over the path: nothing is fetched. */
  jumping: boolean;
  /** The end of the path is in view. */
  atEnd: boolean;
  column: Column;
  goTo: (goal: Goal) => void;
  /** The path has another length; rows below `shared` are what they were. */
  replace: (length: number, shared: number) => void;
  /** Gives up what a goTo asked for, because a person does something. */
  release: () => void;
  onScroll: () => void;
}

interface Boxes {
  /** What scrolls. */
  scroller: RefObject<HTMLElement | null>;
  /** As tall as the path. */
  spacer: RefObject<HTMLElement | null>;
  /** Holds the drawn rows, each with its index in data-row, and data-known where its height counts. */
  slab: RefObject<HTMLElement | null>;
  /** Stands below the last row. */
  tail: RefObject<HTMLElement | null>;
}

/**
 * Draws a Column: keeps the boxes in step with it. Everything happens in the frame in which it is
 * seen: scrolls are drawn at once, heights are read before the browser paints.
 */
export function useColumn(boxes: Boxes, opening: Opening, onRest: () => void): ColumnView {
  const { scroller, spacer, slab, tail } = boxes;
  const [column] = useState(() => open(opening));
  const [range, setRange] = useState(() => rangeOf(column, 0));
  const [isPainted, setPainted] = useState(false);
  const [jumping, setJumping] = useState(false);
  const [atEnd, setAtEnd] = useState(column.isAtEnd);
  const [, setReplaced] = useState(0);
  const shown = useRef(range);
  const around = useRef(0);
  const timers = useRef<{
    rest?: ReturnType<typeof setTimeout>;
    jump?: ReturnType<typeof setTimeout>;
    goal?: ReturnType<typeof setTimeout>;
  }>({});
  const rested = useRef(onRest);
  useLayoutEffect(() => {
    rested.current = onRest;
  });

  const update = useCallback(() => {
    const next = rangeOf(column, around.current);
    const now = shown.current;
    if (next.top === now.top) {
      if (next.first === now.first && next.last === now.last) return;
      // Before the first rows are painted, one that is not needed costs less than to draw all without it.
      const isCovered = next.first >= now.first && next.last <= now.last;
      if (around.current === 0 && isCovered && now.last < column.length) return;
    }
    shown.current = next;
    setRange(next);
  }, [column]);

  /** Brings the boxes to where the column says they are. */
  const apply = useCallback(() => {
    const view = scroller.current;
    if (!view || !spacer.current || !slab.current || !tail.current) return;
    const height = `${Math.max(column.span, 1)}px`;
    if (spacer.current.style.height !== height) spacer.current.style.height = height;
    if (Math.abs(view.scrollTop - column.scrollTop) >= 1) view.scrollTop = column.scrollTop;
    column.moved(view.scrollTop);
    slab.current.style.top = `${column.spotOf(shown.current.first)}px`;
    tail.current.style.top = `${column.spotOf(column.length)}px`;
    setAtEnd(column.isAtEnd);
    update();
  }, [column, scroller, spacer, slab, tail, update]);

  /** Reads the heights of the drawn rows. */
  const measure = useCallback(() => {
    const view = scroller.current;
    if (!view || !slab.current) return;
    // Under the zoom of the page, rectangles and scroll places are of different scales.
    const scale = view.getBoundingClientRect().height / view.offsetHeight || 1;
    const heights = new Map<number, number>();
    for (const row of slab.current.children) {
      if (!(row instanceof HTMLElement) || row.dataset.known === undefined) continue;
      heights.set(Number(row.dataset.row), row.getBoundingClientRect().height / scale);
    }
    const below = (tail.current?.getBoundingClientRect().height ?? 0) / scale;
    column.resize(view.clientHeight);
    column.measure(heights, below);
    apply();
  }, [column, scroller, slab, tail, apply]);

  const isDrawn = range.last >= 0;
  useEffect(() => {
    if (!isDrawn) return;
    return afterPaint(() => {
      around.current = aroundPixels;
      setPainted(true);
      update();
    });
  }, [isDrawn, update]);

  // Every drawing may have brought rows whose height is not known yet.
  useLayoutEffect(measure);

  // A row grows when an image comes, a card opens, the pane gets narrower.
  useEffect(() => {
    if (!scroller.current || !slab.current || !tail.current) return;
    const observer = new ResizeObserver(() => flushSync(measure));
    observer.observe(scroller.current);
    observer.observe(slab.current);
    observer.observe(tail.current);
    return () => observer.disconnect();
  }, [measure, scroller, slab, tail]);

  useEffect(() => {
    const { current } = timers;
    return () => {
      clearTimeout(current.rest);
      clearTimeout(current.jump);
      clearTimeout(current.goal);
    };
  }, []);

  const rest = useCallback(() => {
    column.settle();
    flushSync(apply);
    rested.current();
  }, [column, apply]);

  const onScroll = useCallback(() => {
    const view = scroller.current;
    if (!view) return;
    if (column.scrolled(view.scrollTop)) {
      setJumping(true);
      clearTimeout(timers.current.jump);
      timers.current.jump = setTimeout(() => setJumping(false), jumpMs);
    }
    flushSync(apply);
    clearTimeout(timers.current.rest);
    timers.current.rest = setTimeout(rest, restMs);
  }, [column, scroller, apply, rest]);

  return {
    range,
    isPainted,
    jumping,
    atEnd,
    column,
    goTo: useCallback(
      (goal: Goal) => {
        column.goTo(goal);
        apply();
        clearTimeout(timers.current.goal);
        timers.current.goal = setTimeout(() => column.release(), goalMs);
      },
      [column, apply],
    ),
    replace: useCallback(
      (length: number, shared: number) => {
        column.replace(length, shared);
        measure();
        // What stands below the rows may be a row by now, also where the drawn ones are the same.
        setReplaced((times) => times + 1);
      },
      [column, measure],
    ),
    release: useCallback(() => column.release(), [column]),
    onScroll,
  };
}

/** A column as tall as the view will be, or nearly so: its true height is read when it is drawn. */
function open({ length, goal }: Opening): Column {
  const column = new Column(length ?? 0);
  if (length === undefined) return column;
  column.resize(Math.max(0, window.innerHeight - besideView));
  if (goal) column.goTo(goal);
  return column;
}

function rangeOf(column: Column, around: number): Range {
  if (column.length === 0) return { first: 0, last: -1, top: 0 };
  return { ...column.range(around), top: column.firstVisible };
}
