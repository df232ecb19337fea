import { type FocusEvent, type KeyboardEvent, useRef } from "react";
import { keyOf, runKey } from "@/lib/keys/commands";
import { isTextField, matchesChord } from "@/lib/keys/keys";
import type { Reading } from "./reading";
import type { RowCursor } from "./use-row-cursor";

interface Keyboard extends Reading {
  cursor: RowCursor;
  onRename: () => void;
}

/** The keyboard of the transcript: keys that move the cursor; all others run the actions of the table. */
export function useCursorKeys(keyboard: Keyboard) {
  const newest = useRef(keyboard);
  newest.current = keyboard;
  return {
    onKeyDown: (event: KeyboardEvent) => {
      // A menu is a child of the row that opened it only in React's tree.
      if (!event.currentTarget.contains(event.target as Node)) return;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey) return;
      if (event.nativeEvent.isComposing || isTextField(event.target)) return;
      newest.current.view.release();
      if (press(event, newest.current)) event.preventDefault();
    },
    onFocus: (event: FocusEvent) => {
      const { scroller, setCurrent, tabStop, cursor } = newest.current;
      if (event.target === scroller.current) {
        if (event.relatedTarget !== null) cursor.focus(tabStop);
        return;
      }
      const row = (event.target as HTMLElement).closest<HTMLElement>("[data-row]");
      if (row) setCurrent(Number(row.dataset.row));
    },
  };
}

/** Handles a key press; returns false if the transcript has no use for it. */
function press(event: KeyboardEvent, { cursor, onRename }: Keyboard): boolean {
  const target = event.target as HTMLElement;
  const { key } = event;
  if (matchesChord(event, keyOf("rename"))) {
    onRename();
    return true;
  }
  // A box that scrolls keeps these keys for itself.
  const inBox = target.closest("[tabindex='0']:not(article), pre, select") !== null;
  if (inBox && (key === "Home" || key === "End")) return false;
  if (!event.altKey && (key === "ArrowDown" || key === "ArrowUp")) {
    if (!inBox) cursor.arrow(key === "ArrowDown" ? 1 : -1);
    return !inBox;
  }
  if (key === "Enter" && !event.altKey) {
    if (target.tagName === "ARTICLE") cursor.toggleRow();
    return target.tagName === "ARTICLE";
  }
  return runKey(event.nativeEvent, "transcript");
}
