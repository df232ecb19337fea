import { type RefObject, useEffect, useRef } from "react";
import { isTyping, watchTyping } from "./typing";

/** Brings the focus to a card when it appears, unless the person is typing, and back to where it was when the card goes. */
export function useTakingFocus(card: RefObject<HTMLElement | null>): void {
  const before = useRef<Element | null>(null);
  useEffect(() => {
    watchTyping();
    if (isTyping() || document.querySelector("[role=dialog]")) return;
    before.current = document.activeElement;
    const element = card.current;
    (element?.querySelector<HTMLElement>("[data-autofocus]") ?? element)?.focus();
    return () => {
      // The card goes with the focus in it.
      requestAnimationFrame(() => {
        const { current } = before;
        if (document.activeElement !== document.body || !(current instanceof HTMLElement)) return;
        if (current.isConnected) current.focus({ preventScroll: true });
      });
    };
  }, [card]);
}
