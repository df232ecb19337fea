import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/**
 * Keeps the focus in the transcript when the row that has it goes: another alternative in its place
 * takes it, else the transcript itself, so that keys still work.
 */
export function useFocusKeeper(scroller: RefObject<HTMLElement | null>): void {
  const focused = useRef<{ element: Element; row: string | undefined } | undefined>(undefined);
  useEffect(() => {
    const remember = () => {
      const { activeElement: element } = document;
      focused.current =
        element && scroller.current?.contains(element)
          ? { element, row: element.closest<HTMLElement>("[data-row]")?.dataset.row }
          : undefined;
    };
    document.addEventListener("focusin", remember);
    return () => document.removeEventListener("focusin", remember);
  }, [scroller]);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || !focused.current || focused.current.element.isConnected) return;
    const { row } = focused.current;
    focused.current = undefined;
    if (document.activeElement !== document.body) return;
    const inPlace = box.querySelector<HTMLElement>(`[data-row="${row}"] > article`);
    (inPlace ?? box).focus({ preventScroll: true });
  });
}
