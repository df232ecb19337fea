import { type RefObject, useEffect } from "react";
import type { Focus } from "@/lib/session/location";
import { findPassage } from "./passage";

/** The name under which transcript.css knows it. */
const name = "passage";
/** How often it is looked for while its message is drawn, and what it holds comes. */
const lookMs = 60;
/** After this time all that the message holds is drawn, mostly. */
const drawnMs = 400;

/**
 * Marks what a search has found in the message that was gone to, and brings it into view, also within a long output. The mark stays
 * until another message is asked for.
 */
export function usePassage(
  feed: RefObject<HTMLElement | null>,
  focus: Focus | undefined,
  row: number | undefined,
) {
  const passage = focus?.passage;
  useEffect(() => {
    if (!passage) return;
    return () => void CSS.highlights?.delete(name);
  }, [passage]);
  useEffect(() => {
    if (!passage || row === undefined || !CSS.highlights) return;
    let range: Range | undefined;
    const began = Date.now();
    const look = () => {
      // What was drawn meanwhile has taken its place.
      if (range && !range.collapsed) return;
      const view = feed.current;
      const element = view?.querySelector(`[data-row="${row}"]`);
      const isDrawn = Date.now() - began > drawnMs;
      range = element ? findPassage(element, passage, isDrawn) : undefined;
      if (!view || !range) return;
      CSS.highlights.set(name, new Highlight(range));
      bringIntoView(range, view);
    };
    look();
    const timer = setInterval(look, lookMs);
    return () => clearInterval(timer);
  }, [feed, passage, row]);
}

/** Scrolls what a range is within, from the inside out, where it is not in view. */
function bringIntoView(range: Range, outermost: HTMLElement) {
  // Under the zoom of the page, rectangles and scroll places are of different scales.
  const scale = outermost.getBoundingClientRect().height / outermost.offsetHeight || 1;
  let box = range.startContainer.parentElement;
  for (; box; box = box === outermost ? null : box.parentElement) {
    if (box.scrollHeight <= box.clientHeight || getComputedStyle(box).overflowY === "visible")
      continue;
    const seen = box.getBoundingClientRect();
    const place = range.getBoundingClientRect();
    if (place.top >= seen.top && place.bottom <= seen.bottom) continue;
    box.scrollTop += (place.top - seen.top - seen.height / 3) / scale;
  }
}
