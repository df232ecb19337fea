import { type RefObject, useEffect } from "react";
import { useCommand } from "@/lib/keys/commands";
import { isTextField } from "@/lib/keys/keys";
import { isTyping, watchTyping } from "./typing";

/** Keys that come so soon after a card were pressed before anybody could read it. */
const unreadMs = 700;

/** Where the focus was before the first of the cards that follow each other. */
let origin: Element | null = null;

/**
 * Brings the focus to a card when it appears, unless the user is typing, and back to where it was when the
 * card goes. No key answers a card that was not there to be read when it was pressed: what was meant for a text goes there.
 */
export function useTakingFocus(card: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = card.current;
    if (!element) return;
    watchTyping();
    const appearedMs = performance.now();
    const onKeyDown = (event: KeyboardEvent) => {
      if (isTextField(event.target)) return;
      const isUnread = performance.now() - appearedMs < unreadMs;
      if (!answers(event) || !(isUnread || event.repeat)) return;
      event.stopPropagation();
      if (isUnread && isTyped(event) && isTextField(origin)) (origin as HTMLElement).focus();
      else event.preventDefault();
    };
    element.addEventListener("keydown", onKeyDown, true);
    if (!isTyping() && !document.querySelector("[role=dialog]")) {
      const { activeElement } = document;
      if (activeElement !== document.body) origin = activeElement;
      focusCard(element);
    }
    return () => {
      element.removeEventListener("keydown", onKeyDown, true);
      // The card goes with the focus in it.
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body || !(origin instanceof HTMLElement)) return;
        if (origin.isConnected) origin.focus({ preventScroll: true });
      });
    };
  }, [card]);
}

/** Lets a key go to the card, for whoever was typing when it appeared; returns the key. */
export function useAnswerKey(card: RefObject<HTMLElement | null>): string {
  const keys = "Mod+J";
  useCommand("answer-question", () => card.current && focusCard(card.current), {
    keys,
  });
  return keys;
}

/** Puts the focus where the usual answer is. */
function focusCard(card: HTMLElement): void {
  (card.querySelector<HTMLElement>("[data-autofocus]") ?? card).focus();
}

type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;

/** Reports whether a key writes a letter. */
function isTyped({ key, ctrlKey, metaKey, altKey }: KeyPress): boolean {
  return key.length === 1 && !ctrlKey && !metaKey && !altKey;
}

/** Reports whether a key could answer a card. */
function answers(press: KeyPress): boolean {
  return isTyped(press) || press.key === "Enter";
}
