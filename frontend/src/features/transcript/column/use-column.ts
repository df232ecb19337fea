import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { afterPaint } from "@/lib/browser/after-paint";
import { Column, type Goal } from "./column";

/** Rows are drawn this far before they come into view, but for those that a path opens with: they are to be seen first. */
const aroundPixels = 900;
/** After this time without a scroll the scroll bar is put right. */
const restMs = 150;
/** After a jump, pages are fetched when the view has not moved for this long: a dragged scroll bar passes many. */
const jumpMs = 70;
/** The estimated height of the content above and below a view that opens, so that its first rows are drawn at once. */
const besideView = 330;
/** How long a requested row keeps its position while its surroundings load, unless the user acts. */
const goalMs = 1000;

/** The rows to draw, both included, and the one that is read at the top of the view. */
export interface Range {
  first: number;
  last: number;
  top: number;
}

/** What a column opens with. */
interface Opening {
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
  /** Cancels a goTo, because the user acts. */
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
  /** The content below the last row. */
  tail: RefObject<HTMLElement | null>;
}

/**
 * Draws a Column: keeps the boxes in step with it, as long as they are on screen (isShown). Everything happens in the frame in which it is
 * seen: scrolls are drawn at once, heights are read before the browser paints.
 */
export function useColumn(
  boxes: Boxes,
  opening: Opening,
  onRest: () => void,
  isShown = true,
): ColumnView {
  const [column] = useState(() => open(opening));
  const drawn = useDrawnRange(column);
  const { apply, measure, atEnd } = useBoxes(boxes, column, drawn, isShown);
  const { jumping, onScroll } = useScrolling(boxes, column, apply, onRest);
  const [, setReplaced] = useState(0);
  const goalTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(goalTimer.current), []);
  return {
    range: drawn.range,
    isPainted: drawn.isPainted,
    jumping,
    atEnd,
    column,
    goTo: useCallback(
      (goal: Goal) => {
        column.goTo(goal);
        apply();
        clearTimeout(goalTimer.current);
        goalTimer.current = setTimeout(() => column.release(), goalMs);
      },
      [column, apply],
    ),
    replace: useCallback(
      (length: number, shared: number) => {
        column.replace(length, shared);
        measure();
        // What was below the rows may be a row now, even if the drawn ones are the same.
        setReplaced((times) => times + 1);
      },
      [column, measure],
    ),
    release: useCallback(() => column.release(), [column]),
    onScroll,
  };
}

/** The rows to draw: those in view first, and those around them once the first ones are painted. */
function useDrawnRange(column: Column) {
  const [range, setRange] = useState(() => rangeOf(column, 0));
  const [isPainted, setPainted] = useState(false);
  const shown = useRef(range);
  const around = useRef(0);
  const update = useCallback(() => {
    const next = rangeOf(column, around.current);
    const now = shown.current;
    if (next.top === now.top) {
      if (next.first === now.first && next.last === now.last) return;
      // Before the first rows are painted, a row too many costs less than drawing all without it.
      const isCovered = next.first >= now.first && next.last <= now.last;
      if (around.current === 0 && isCovered && now.last < column.length) return;
    }
    shown.current = next;
    setRange(next);
  }, [column]);
  const isDrawn = range.last >= 0;
  useEffect(() => {
    if (!isDrawn) return;
    return afterPaint(() => {
      around.current = aroundPixels;
      setPainted(true);
      update();
    });
  }, [isDrawn, update]);
  return { range, shown, isPainted, update };
}

/** Keeps the boxes where the column has them, and the column informed of their heights. */
function useBoxes(
  boxes: Boxes,
  column: Column,
  drawn: ReturnType<typeof useDrawnRange>,
  isShown: boolean,
) {
  const { scroller, spacer, slab, tail } = boxes;
  const { shown, update } = drawn;
  const [atEnd, setAtEnd] = useState(column.isAtEnd);
  const seen = useRef<{ view: HTMLElement; scrollTop: number }>(undefined);

  const apply = useCallback(() => {
    const view = scroller.current;
    if (!view || !spacer.current || !slab.current || !tail.current) return;
    const height = `${Math.max(column.span, 1)}px`;
    if (spacer.current.style.height !== height) spacer.current.style.height = height;
    if (Math.abs(view.scrollTop - column.scrollTop) >= 1) view.scrollTop = column.scrollTop;
    column.moved(view.scrollTop);
    seen.current = view.clientHeight > 0 ? { view, scrollTop: view.scrollTop } : undefined;
    slab.current.style.top = `${column.spotOf(shown.current.first)}px`;
    tail.current.style.top = `${column.spotOf(column.length)}px`;
    setAtEnd(column.isAtEnd);
    update();
  }, [column, shown, scroller, spacer, slab, tail, update]);

  const measure = useCallback(() => {
    const view = scroller.current;
    if (!view || !slab.current) return;
    // Under the zoom of the page, rectangles and scroll positions have different scales.
    const scale = view.getBoundingClientRect().height / view.offsetHeight || 1;
    const heights = new Map<number, number>();
    for (const row of slab.current.children) {
      if (!(row instanceof HTMLElement) || row.dataset.known === undefined) continue;
      heights.set(Number(row.dataset.row), row.getBoundingClientRect().height / scale);
    }
    const below = (tail.current?.getBoundingClientRect().height ?? 0) / scale;
    // The browser scrolls to what takes the focus, and reports it after the render that the focus causes.
    const { current: before } = seen;
    if (before?.view === view && Math.abs(view.scrollTop - before.scrollTop) >= 1)
      column.found(view.clientHeight, view.scrollTop);
    else column.resize(view.clientHeight);
    column.measure(heights, below);
    apply();
  }, [column, scroller, slab, tail, apply]);

  // Every render may have brought rows whose height is not known yet.
  useLayoutEffect(measure);

  // A row grows when an image loads, a card opens or the pane gets narrower.
  useEffect(() => {
    if (!isShown || !scroller.current || !slab.current || !tail.current) return;
    const observer = new ResizeObserver(() => flushSync(measure));
    observer.observe(scroller.current);
    observer.observe(slab.current);
    observer.observe(tail.current);
    return () => observer.disconnect();
  }, [measure, isShown, scroller, slab, tail]);
  return { apply, measure, atEnd };
}

/** Follows the scroll bar: a jump loads nothing until it ends, and a rest corrects the scroll bar. */
function useScrolling({ scroller }: Boxes, column: Column, apply: () => void, onRest: () => void) {
  const [jumping, setJumping] = useState(false);
  const restTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const jumpTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const rested = useRef(onRest);
  useLayoutEffect(() => {
    rested.current = onRest;
  });
  useEffect(
    () => () => {
      clearTimeout(restTimer.current);
      clearTimeout(jumpTimer.current);
    },
    [],
  );
  const rest = useCallback(() => {
    column.settle();
    flushSync(apply);
    rested.current();
  }, [column, apply]);
  const onScroll = useCallback(() => {
    const view = scroller.current;
    if (!view) return;
    if (column.found(view.clientHeight, view.scrollTop)) {
      setJumping(true);
      clearTimeout(jumpTimer.current);
      jumpTimer.current = setTimeout(() => setJumping(false), jumpMs);
    }
    flushSync(apply);
    clearTimeout(restTimer.current);
    restTimer.current = setTimeout(rest, restMs);
  }, [column, scroller, apply, rest]);
  return { jumping, onScroll };
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
  return { ...column.range(around), top: column.firstRead };
}
