import { type RefObject, useLayoutEffect, useState } from "react";
import { onResize } from "@/lib/browser/on-resize";

/** The height of an element in its own pixels, kept up to date while it is wanted; 0 before. */
export function useHeight(of: RefObject<HTMLElement | null>, isWanted: boolean): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const element = of.current;
    if (!element || !isWanted) return;
    return onResize(element, () => setHeight(element.clientHeight));
  }, [of, isWanted]);
  return height;
}
