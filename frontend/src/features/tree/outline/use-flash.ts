import { type RefObject, useEffect } from "react";

const flashMs = 900;

/** Lights up the row of a turn when `signal` changes, without moving the focus. Nothing where motion is unwanted. */
export function useFlash(grid: RefObject<HTMLElement | null>, turn: number, signal: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signal triggers it
  useEffect(() => {
    if (turn < 0 || window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    // The row is there one frame later, when the outline has scrolled to it.
    const frame = requestAnimationFrame(() => {
      const row = grid.current?.querySelector(`[data-turn="${turn}"]`);
      const mark = getComputedStyle(document.documentElement).getPropertyValue("--mark");
      row?.animate([{ backgroundColor: mark }, {}], { duration: flashMs, easing: "ease-out" });
    });
    return () => cancelAnimationFrame(frame);
  }, [grid, turn, signal]);
}
