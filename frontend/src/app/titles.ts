// Tooltips of `title` attributes in the window's own colors: the toolkit draws them black in both themes.

import { pageZoom, rectPoint } from "@/lib/browser/zoom";

const delayMs = 500;
const gap = 16;

/** Shows titles under the pointer; returns a function that ends it. */
export function connectTitles(): () => void {
  let owner: Element | undefined;
  let title = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tip: HTMLElement | undefined;

  const hide = () => {
    clearTimeout(timer);
    tip?.remove();
    tip = undefined;
    // Unless it was changed meanwhile, the element gets it back: it may be the name for screen readers.
    if (owner && !owner.hasAttribute("title")) owner.setAttribute("title", title);
    owner = undefined;
  };
  const onOver = (event: PointerEvent) => {
    const target = event.target instanceof Element ? event.target : undefined;
    if (owner && target && owner.contains(target) && owner.isConnected) return;
    hide();
    const next = target?.closest("[title]");
    if (!next || event.pointerType === "touch") return;
    title = next.getAttribute("title") ?? "";
    if (title === "") return;
    owner = next;
    next.removeAttribute("title");
    timer = setTimeout(() => {
      if (owner === next && next.isConnected) tip = show(title, last);
    }, delayMs);
  };
  let last = { clientX: 0, clientY: 0 };
  const onMove = (event: PointerEvent) => {
    last = event;
  };
  const events: [string, (event: PointerEvent) => void][] = [
    ["pointerover", onOver],
    ["pointermove", onMove],
    ["pointerdown", hide],
  ];
  for (const [name, listener] of events)
    document.addEventListener(name, listener as EventListener, true);
  for (const name of ["keydown", "wheel"]) document.addEventListener(name, hide, true);
  document.documentElement.addEventListener("pointerleave", hide);
  return () => {
    hide();
    for (const [name, listener] of events)
      document.removeEventListener(name, listener as EventListener, true);
    for (const name of ["keydown", "wheel"]) document.removeEventListener(name, hide, true);
    document.documentElement.removeEventListener("pointerleave", hide);
  };
}

/** Draws a tooltip near the pointer, inside the window. */
function show(title: string, pointer: { clientX: number; clientY: number }): HTMLElement {
  const tip = document.createElement("div");
  tip.className = "title-tip";
  tip.setAttribute("aria-hidden", "true");
  tip.textContent = title;
  document.body.append(tip);
  const { x, y } = rectPoint(pointer);
  const { width, height } = tip.getBoundingClientRect();
  const room = document.documentElement.getBoundingClientRect();
  const left = Math.max(8, Math.min(x, room.width - width - 8));
  const below = y + gap;
  const top = below + height > room.height - 8 ? Math.max(8, y - gap / 2 - height) : below;
  // A position is in pixels of the page, a rectangle in those of this engine.
  const scale = rectPoint({ clientX: 1, clientY: 1 }).x === 1 ? 1 / pageZoom() : 1;
  tip.style.left = `${left * scale}px`;
  tip.style.top = `${top * scale}px`;
  return tip;
}
