/** Where a pointer is in an element, in the element's own pixels, whatever the window's zoom. */
export function pointIn(
  element: HTMLElement | null,
  event: { clientX: number; clientY: number },
): { x: number; y: number } {
  if (!element) return { x: 0, y: 0 };
  const { left, top, width } = element.getBoundingClientRect();
  const zoom = width / Math.max(1, element.offsetWidth);
  return { x: (event.clientX - left) / zoom, y: (event.clientY - top) / zoom };
}
