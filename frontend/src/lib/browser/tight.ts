import { type RefObject, useLayoutEffect, useRef } from "react";
import { onResize } from "./on-resize";

/**
 * Marks a row as data-tight while its contents, with all their words, are wider than it. How wide words are depends on the language
 * and the font.
 */
export function useTight(): RefObject<HTMLDivElement | null> {
  const row = useRef<HTMLDivElement>(null);
  const measure = useRef(() => {
    const element = row.current;
    if (!element) return;
    element.removeAttribute("data-tight");
    element.toggleAttribute("data-tight", element.scrollWidth > element.clientWidth);
  });
  // Also when what is in the row has changed.
  useLayoutEffect(() => measure.current());
  useLayoutEffect(() => (row.current ? onResize(row.current, measure.current) : undefined), []);
  return row;
}
