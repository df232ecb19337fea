import { type RefObject, useEffect, useState } from "react";
import { onResize } from "@/lib/browser/on-resize";

/** The width of an element in pixels of the page, as it changes; 0 before it is measured. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const measured = element.current;
    if (!measured) return;
    return onResize(measured, () => setWidth(measured.clientWidth));
  }, [element]);
  return width;
}
