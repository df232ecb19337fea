// What need not be there at once waits until what is asked for has been painted: each answer that is drawn in between puts it off.

/** So long the window is left alone with what it has painted. */
const restMs = 40;
/** A hidden window paints nothing. */
const patienceMs = 1000;

/** Calls back soon after the next frame has been painted. The returned function takes it back. */
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

/** Ends when afterPaint would call back. */
export function painted(): Promise<void> {
  return new Promise((wake) => void afterPaint(wake));
}
