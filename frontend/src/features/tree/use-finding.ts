import { type RefObject, useRef } from "react";
import type { Find } from "./find/use-find";
import type { OutlineState } from "./outline/use-outline";
import { nextHit, useSelectedHit } from "./use-selected-hit";

/** The search in the tree: its bar, and the steps from hit to hit. */
export function useFinding(
  find: Find,
  outline: OutlineState,
  pane: RefObject<HTMLDivElement | null>,
) {
  const field = useRef<HTMLInputElement>(null);
  useSelectedHit(outline);
  return {
    field,
    start: () => {
      find.open();
      field.current?.focus();
      field.current?.select();
    },
    step: (by: 1 | -1) => {
      const next = nextHit(outline, by);
      if (next >= 0) outline.select(next);
    },
    end: () => {
      find.close();
      pane.current?.querySelector<HTMLElement>("[data-pane-focus]")?.focus();
    },
  };
}
