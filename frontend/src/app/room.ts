import { type RefObject, useEffect, useState } from "react";
import { onResize } from "@/lib/browser/on-resize";

/** Below these widths of the window, in its own pixels, less is shown: see the variants in styles.css. */
const rooms = { tight: 760, tiny: 580 };

/** The width of an element that is as wide as the window, and with it the room that the page has. */
export function useRoom(frame: RefObject<HTMLElement | null>): number {
  // A usual width until it is measured, which is before the first drawing.
  const [width, setWidth] = useState(1280);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    return onResize(element, () => {
      const width = element.clientWidth || 1280;
      setWidth(width);
      document.documentElement.dataset.room = Object.entries(rooms)
        .filter(([, below]) => width < below)
        .map(([name]) => name)
        .join(" ");
    });
  }, [frame]);
  return width;
}
