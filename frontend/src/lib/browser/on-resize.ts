/** Calls `measure` now and whenever the size of an element changes; returns a function that stops this. */
export function onResize(element: Element, measure: () => void): () => void {
  measure();
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  return () => observer.disconnect();
}
