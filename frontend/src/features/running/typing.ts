// Whether a person is typing: then nothing takes the focus, and with it their next key, away.

import { isTextField } from "@/lib/keys";

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

/** Says whether keys have just been pressed, or a text is begun where the focus is. */
export function isTyping(): boolean {
  if (performance.now() - lastKeyMs < pauseMs && isTextField(document.activeElement)) return true;
  const { activeElement } = document;
  const hasText =
    activeElement instanceof HTMLTextAreaElement || activeElement instanceof HTMLInputElement;
  return hasText && isTextField(activeElement) && activeElement.value.trim() !== "";
}
