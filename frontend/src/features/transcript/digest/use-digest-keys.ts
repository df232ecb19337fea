import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useState,
} from "react";
import { runKey } from "@/lib/keys/commands";
import { isTextField } from "@/lib/keys/keys";
import type { ColumnView } from "../column/use-column";

/** The keyboard of the digest: which turn has the focus, and the keys that move it. */
export function useDigestKeys(
  scroller: RefObject<HTMLElement | null>,
  view: ColumnView,
  length: number,
  opening: number,
) {
  const { range } = view;
  const [focused, setFocused] = useState(opening);
  const [moved, setMoved] = useState<number>();
  const inRange = focused >= range.first && focused <= range.last;
  const current = inRange ? focused : range.top;
  // The last turns cannot be brought to the top of the view: there, the one with the focus is read.
  const isShown = inRange && view.column.offsetOf(focused) < (scroller.current?.clientHeight ?? 0);
  const place = view.atEnd && isShown && focused > range.top ? focused : range.top;
  useLayoutEffect(() => {
    if (moved === undefined) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${moved}"] article`);
    if (!row) return;
    row.focus({ preventScroll: true });
    setMoved(undefined);
  });
  const goTo = (place: number) => {
    const kept = Math.max(0, Math.min(place, length - 1));
    view.goTo({ index: kept, align: "start" });
    setFocused(kept);
    setMoved(kept);
  };
  return {
    current,
    /** The turn that is read. */
    place,
    goTo,
    onFocus: (event: FocusEvent) => {
      const row = (event.target as HTMLElement).closest<HTMLElement>("[data-row]");
      if (row) setFocused(Number(row.dataset.row));
      else if (event.target === scroller.current && event.relatedTarget) setMoved(current);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (!event.currentTarget.contains(event.target as Node)) return;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey) return;
      if (event.nativeEvent.isComposing || isTextField(event.target)) return;
      view.release();
      const target = event.target as HTMLElement;
      if (event.key === "Enter" && target.tagName === "ARTICLE") {
        const row = target.closest("[data-row]");
        row?.querySelector<HTMLElement>(".work-line")?.click();
        event.preventDefault();
      } else if (runKey(event.nativeEvent, "transcript")) {
        event.preventDefault();
      }
    },
  };
}
