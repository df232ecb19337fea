// Work that is not urgent waits until the requested content has been painted; each answer drawn in between postpones it.

/** How long the window stays idle after it has painted. */
const restMs = 40;
/** A hidden window paints nothing. */
const patienceMs = 1000;

/** Calls back soon after the next frame has been painted. The returned function cancels the call. */
export function afterPaint(act: () => void): () => void {
  let timer = setTimeout(act, patienceMs);
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(act, restMs);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** Resolves when afterPaint would call back. */
export function painted(): Promise<void> {
  return new Promise((wake) => void afterPaint(wake));
}
