import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useRef } from "react";
import type { OutlineModel } from "../layout/outline-model";
import { rowHeight } from "./row-height";

interface Scrolled {
  /** The row of the selected turn. */
  cursor: number;
  selected: number;
  /** Changes when somebody asks for the selected turn, be it the one that was selected before. */
  signal: unknown;
}

/**
 * Keeps the selected turn in sight. When rows come and go or move, it stays at the height where it
 * was; when a turn is selected or asked for, it is scrolled to only as far as needed.
 */
export function useAnchoredScroll(
  grid: RefObject<HTMLElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  { rows }: OutlineModel,
  { cursor, selected, signal }: Scrolled,
): void {
  const before = useRef({ rows, selected: -1, cursor: -1, signal });
  useLayoutEffect(() => {
    const was = before.current;
    before.current = { rows, selected, cursor, signal };
    const element = grid.current;
    if (!element || cursor < 0) return;
    const top = was.cursor * rowHeight - element.scrollTop;
    const wasInSight = was.cursor >= 0 && top > -rowHeight && top < element.clientHeight;
    const isAsked = was.selected !== selected || (was.signal !== signal && !wasInSight);
    if (isAsked) virtualizer.scrollToIndex(cursor, { align: wasInSight ? "auto" : "center" });
    else if (was.rows !== rows && wasInSight) element.scrollTop = cursor * rowHeight - top;
  }, [grid, virtualizer, rows, cursor, selected, signal]);
}
