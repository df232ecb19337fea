import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef } from "react";
import { rowHeight } from "./row-height";

/** Keeps the row of the turn that is read in sight while the transcript scrolls, unless it was out of sight before. */
export function useFollowReading(
  grid: RefObject<HTMLElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  row: number,
): void {
  const before = useRef(row);
  useEffect(() => {
    const was = before.current;
    before.current = row;
    const element = grid.current;
    if (!element || was === row || was < 0 || row < 0) return;
    const top = was * rowHeight - element.scrollTop;
    const wasInSight = top > -rowHeight && top < element.clientHeight;
    if (wasInSight) virtualizer.scrollToIndex(row, { align: "auto" });
  }, [grid, virtualizer, row]);
}
