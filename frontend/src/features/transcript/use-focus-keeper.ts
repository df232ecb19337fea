import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type { Range } from "./use-column";

/** Gives the focus to the transcript itself when the row that has it is scrolled away, so that keys still work. */
export function useFocusKeeper(scroller: RefObject<HTMLElement | null>, range: Range): void {
  const focused = useRef<Element | null>(null);
  useEffect(() => {
    const remember = () => {
      const { activeElement } = document;
      focused.current = scroller.current?.contains(activeElement) ? activeElement : null;
    };
    document.addEventListener("focusin", remember);
    return () => document.removeEventListener("focusin", remember);
  }, [scroller]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows go when the range changes
  useLayoutEffect(() => {
    if (!focused.current || focused.current.isConnected) return;
    focused.current = null;
    if (document.activeElement === document.body) scroller.current?.focus({ preventScroll: true });
  }, [range, scroller]);
}
