import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useRef } from "react";
import type { OutlineModel } from "./outline-model";
import { rowHeight } from "./row-height";

/**
 * Keeps the selected turn in sight. When rows come and go or move, it stays at the height where it
 * was; when another turn is selected, it is scrolled to only as far as needed.
 */
export function useAnchoredScroll(
  grid: RefObject<HTMLElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  { rows }: OutlineModel,
  cursor: number,
  selected: number,
): void {
  const before = useRef({ rows, selected: -1, cursor: -1 });
  useLayoutEffect(() => {
    const was = before.current;
    before.current = { rows, selected, cursor };
    const element = grid.current;
    if (!element || cursor < 0) return;
    const top = was.cursor * rowHeight - element.scrollTop;
    const wasInSight = was.cursor >= 0 && top > -rowHeight && top < element.clientHeight;
    if (was.rows !== rows && was.selected === selected && wasInSight)
      element.scrollTop = cursor * rowHeight - top;
    else if (was.selected !== selected)
      virtualizer.scrollToIndex(cursor, { align: wasInSight ? "auto" : "center" });
  }, [grid, virtualizer, rows, cursor, selected]);
}
