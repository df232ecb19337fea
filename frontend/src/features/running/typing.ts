// Whether the user is typing: then nothing takes the focus, and with it the next key.

import { isTextField } from "@/lib/keys/keys";

const pauseMs = 1500;
let lastKeyMs = Number.NEGATIVE_INFINITY;
let connected = false;

/** Begins to listen, once. */
export function watchTyping(): void {
  if (connected) return;
  connected = true;
  window.addEventListener(
    "keydown",
    () => {
      lastKeyMs = performance.now();
    },
    true,
  );
}

/** Reports whether keys were pressed recently, or the focused field has text. */
export function isTyping(): boolean {
  if (performance.now() - lastKeyMs < pauseMs && isTextField(document.activeElement)) return true;
  const { activeElement } = document;
  const hasText =
    activeElement instanceof HTMLTextAreaElement || activeElement instanceof HTMLInputElement;
  return hasText && isTextField(activeElement) && activeElement.value.trim() !== "";
}
