import { type RefObject, useEffect, useState } from "react";

/** From this width on, diffs stand in two columns. */
const widePixels = 900;

/** Says whether a box is wide. */
export function useWide(box: RefObject<HTMLElement | null>): boolean {
  const [wide, setWide] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWide(element.clientWidth >= widePixels));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return wide;
}
