import { useLayoutEffect, useMemo, useRef, useState } from "react";
import type { MessageView } from "@/lib/api/api";
import type { PathTurns } from "../path/path-turns";
import { foldNames } from "../path/plan";
import type { Path } from "../path/use-path";
import type { Reading } from "./reading";

/** The row of the transcript that keys start from, and the ways to move it. */
export interface RowCursor {
  message: () => MessageView | undefined;
  moveTo: (index: number, align?: "nearest" | "start" | "end") => void;
  step: (by: 1 | -1) => void;
  /** Scrolls a long message, and leaves it at its end. */
  arrow: (by: 1 | -1) => void;
  toPrompt: (by: 1 | -1) => void;
  /** Gives the focus to a row without moving the cursor. */
  focus: (index: number) => void;
  /** Opens what is folded in the row, or folds it. */
  toggleRow: () => void;
}

/** A press of an arrow scrolls a long message by this much before it leaves it. */
const arrowPixels = 72;

/** The cursor of the transcript. The focus follows it. */
export function useRowCursor(reading: Reading): RowCursor {
  const newest = useRef(reading);
  newest.current = reading;
  const setMoved = useFocusOnMoved(reading);

  return useMemo(() => {
    function moveTo(index: number, align: "nearest" | "start" | "end" = "nearest") {
      const { view, setCurrent } = newest.current;
      const last = view.column.length - 1;
      if (last < 0) return;
      const kept = Math.max(0, Math.min(index, last));
      setCurrent(kept);
      view.goTo({ index: kept, align });
      setMoved({ index: kept });
    }

    function step(by: 1 | -1) {
      const { path, view, tabStop } = newest.current;
      let index = tabStop + by;
      while (index >= 0 && index < view.column.length && path.row(index)?.absent) index += by;
      if (index >= 0 && index < view.column.length) moveTo(index);
      else view.goTo({ index: tabStop, align: by > 0 ? "end" : "start" });
    }

    function toPrompt(by: 1 | -1) {
      const { turns, tabStop } = newest.current;
      const to = turns && promptFrom(turns, tabStop, by);
      if (to !== undefined) moveTo(to, "start");
    }

    return {
      moveTo,
      step,
      message: () => newest.current.path.row(newest.current.tabStop)?.message,
      arrow: (by) => {
        if (!scrollWithin(newest.current, by)) step(by);
      },
      toPrompt,
      focus: (index) => setMoved({ index }),
      toggleRow: () => toggleRow(newest.current),
    };
  }, [setMoved]);
}

/** The depth of the next or the previous prompt, seen from a message; undefined if it is missing. */
export function promptFrom(turns: PathTurns, depth: number, by: 1 | -1): number | undefined {
  const place = turns.at(depth);
  const isInside = depth > turns.start(place);
  const to = by > 0 ? place + 1 : place - (isInside ? 0 : 1);
  return to >= 0 && to < turns.length ? turns.start(to) : undefined;
}

/** Scrolls the row of the cursor if it is longer than the window; returns false otherwise. */
function scrollWithin({ view, tabStop, scroller }: Reading, by: 1 | -1): boolean {
  const box = scroller.current;
  if (!box) return true;
  const top = view.column.offsetOf(tabStop);
  const bottom = view.column.offsetOf(tabStop + 1);
  const longer = by > 0 ? bottom > box.clientHeight : top < 0;
  if (!longer || bottom <= 0 || top >= box.clientHeight) return false;
  view.release();
  box.scrollTop += by * arrowPixels;
  return true;
}

function toggleRow({ path, folds, tabStop }: Reading): void {
  const row = path.row(tabStop);
  if (!row) return;
  const names = foldNames(row);
  const open = !names.every((name) => folds.isOpen(name));
  for (const name of names) folds.set(name, open);
}

/** Focuses the row that the cursor was moved to, once it is drawn. Returns the function that requests it. */
function useFocusOnMoved(reading: Reading) {
  const [moved, setMoved] = useState<{ index: number }>();
  useLayoutEffect(() => {
    if (!moved) return;
    const { host, absent } = reading.path.row(moved.index) ?? {};
    if (absent) {
      const shown = host === moved.index ? presentBefore(reading.path, moved.index) : host;
      setMoved(shown === undefined ? undefined : { index: shown });
      if (shown !== undefined) reading.setCurrent(shown);
      return;
    }
    const row = reading.scroller.current?.querySelector<HTMLElement>(
      `[data-row="${moved.index}"] > article`,
    );
    row?.focus({ preventScroll: true });
    if (row) setMoved(undefined);
  });
  return setMoved;
}

/** The last row above that shows something. */
function presentBefore(path: Path, index: number): number | undefined {
  for (let at = index - 1; at >= 0; at--) {
    const row = path.row(at);
    if (!row) return undefined;
    if (!row.absent) return at;
  }
  return undefined;
}
