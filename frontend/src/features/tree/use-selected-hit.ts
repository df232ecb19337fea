import { useEffect, useRef } from "react";
import { int } from "./layout/columns";
import { rowFor } from "./layout/outline-model";
import type { OutlineState } from "./outline/use-outline";

/** The turn found after the selected one, or before it, round the ends; -1 where nothing was found. */
export function nextHit({ model, found, selected }: OutlineState, step: 1 | -1): number {
  if (found.length === 0) return -1;
  const row = rowFor(model, selected);
  const after = firstAfter(model.rows.of, found, row);
  const at = found.indexOf(selected);
  // From between two of them the next one is that after, the previous one that before.
  const from = at >= 0 ? at + step : step > 0 ? after : after - 1;
  return int(found, (from + found.length) % found.length);
}

// The index of the first hit below a row; the number of hits if none is below.
function firstAfter(rowOf: Int32Array, found: Int32Array, row: number): number {
  const at = found.findIndex((turn) => int(rowOf, turn) > row);
  return at < 0 ? found.length : at;
}

/** Selects the nearest turn when something else was found. */
export function useSelectedHit(outline: OutlineState): void {
  const newest = useRef(outline);
  newest.current = outline;
  const { found } = outline;
  const before = useRef(found);
  useEffect(() => {
    if (before.current === found) return;
    before.current = found;
    const { selected, select } = newest.current;
    if (found.length === 0 || found.includes(selected)) return;
    select(nextHit(newest.current, 1));
  }, [found]);
}
