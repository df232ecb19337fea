// The window's zoom is the css `zoom` of the page. Engines disagree on what it does to coordinates:
//
//                               Chromium (the standard)    WebKitGTK 2.50
//   getBoundingClientRect       pixels of the window       pixels of the page
//   clientX of a pointer        pixels of the window       pixels of the window
//   offsetWidth, scrollTop      pixels of the page         pixels of the page

/** Pixels of the window in a pixel of the page. */
export function pageZoom(): number {
  return Number.parseFloat(document.documentElement.style.zoom) || 1;
}

/** Reports whether this engine returns rectangles in pixels of the window. */
function rectsAreZoomed(): boolean {
  const probe = document.createElement("div");
  probe.style.cssText = "position:absolute;visibility:hidden;zoom:2;width:10px";
  document.body.append(probe);
  const { width } = probe.getBoundingClientRect();
  probe.remove();
  return width > 10;
}

/** Zooms the page, and what floats over it: see [data-zoom] in styles.css. */
export function setPageZoom(zoom: number): void {
  const page = document.documentElement;
  page.style.zoom = String(zoom);
  page.dataset.zoom = rectsAreZoomed() ? "rects" : "plain";
  page.style.setProperty("--zoom", String(zoom));
  page.style.setProperty("--unzoom", String(1 / zoom));
}

/** Where a pointer is, in the pixels of this engine's rectangles. */
export function rectPoint(pointer: { clientX: number; clientY: number }): { x: number; y: number } {
  const scale = document.documentElement.dataset.zoom === "rects" ? 1 : pageZoom();
  return { x: pointer.clientX / scale, y: pointer.clientY / scale };
}

/** Where a pointer is in an element, in pixels of the page, from its top left corner. */
export function pointIn(
  element: Element,
  pointer: { clientX: number; clientY: number },
): { x: number; y: number } {
  const { x, y } = rectPoint(pointer);
  return fromCorner(element, x, y);
}

/** Where a rectangle of this engine is in an element, in pixels of the page. */
export function rectIn(
  element: Element,
  { left, top, right, bottom }: DOMRect,
): { left: number; top: number; right: number; bottom: number } {
  const a = fromCorner(element, left, top);
  const b = fromCorner(element, right, bottom);
  return { left: a.x, top: a.y, right: b.x, bottom: b.y };
}

function fromCorner(element: Element, x: number, y: number): { x: number; y: number } {
  const box = element.getBoundingClientRect();
  const scale = document.documentElement.dataset.zoom === "rects" ? pageZoom() : 1;
  return { x: (x - box.left) / scale, y: (y - box.top) / scale };
}
