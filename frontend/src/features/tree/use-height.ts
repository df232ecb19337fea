import { type RefObject, useLayoutEffect, useState } from "react";

/** The height of an element in its own pixels, kept up to date while it is wanted; 0 before. */
export function useHeight(of: RefObject<HTMLElement | null>, isWanted: boolean): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const element = of.current;
    if (!element || !isWanted) return;
    const measure = () => setHeight(element.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [of, isWanted]);
  return height;
}
