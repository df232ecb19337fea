// Draws the formulas and diagrams of prose when they come into view. Both libraries are loaded for the first of them.

import { diagramFigure } from "./diagram-figure";

const formulas = () => import("./formulas");

/** What is nearer to the view than this is drawn. */
const marginPx = 600;

/** Draws what a piece of prose has of formulas and diagrams, as they come into view, until the returned function is called. */
export function enrich(root: HTMLElement): () => void {
  const codes = root.querySelectorAll<HTMLElement>("code.math, pre[data-lang=mermaid]");
  if (codes.length === 0) return () => {};
  let live = true;
  const stops: (() => void)[] = [];
  const draw = async (code: HTMLElement) => {
    if (code.tagName === "PRE") {
      if (live) stops.push(diagramFigure(code));
      return;
    }
    // Without the library the formula stays code.
    const loaded = await formulas().catch(() => undefined);
    if (live && code.isConnected) loaded?.typeset(code);
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        void draw(target as HTMLElement);
      }
    },
    { rootMargin: `${marginPx}px 0px` },
  );
  for (const code of codes) observer.observe(code);
  return () => {
    live = false;
    observer.disconnect();
    for (const stop of stops) stop();
  };
}
