import { type RefObject, useEffect, useState } from "react";
import { onResize } from "@/lib/browser/on-resize";

/** From this width on, diffs stand in two columns. */
const widePixels = 900;

/** Reports whether a box is wide. */
export function useWide(box: RefObject<HTMLElement | null>): boolean {
  const [wide, setWide] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    return onResize(element, () => setWide(element.clientWidth >= widePixels));
  }, [box]);
  return wide;
}
