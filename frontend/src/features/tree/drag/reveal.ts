// What the map in the full window covers is uncovered at the edges that a turn is dragged to: the library, and the composer.

import { pointIn, rectIn } from "@/lib/browser/zoom";

/** So near to an edge the pointer is at it. */
const nearEdge = 28;

/** Uncovers what is behind the map where the pointer is at its edge, and covers it again where it has left, or without a pointer. */
export function revealUnder(
  pane: HTMLElement | null,
  pointer: { clientX: number; clientY: number } | undefined,
): void {
  if (!pane) return;
  const { revealed } = pane.dataset;
  const places = placesIn(pane);
  const next = pointer && edgeAt(places, pointIn(pane, pointer), revealed);
  if (next === revealed) return;
  if (next) pane.dataset.revealed = next;
  else delete pane.dataset.revealed;
  const insets = {
    library: `inset(0 0 0 ${places.libraryEnd}px)`,
    composer: `inset(0 0 ${places.height - places.composerStart}px 0)`,
  };
  pane.style.clipPath = next ? insets[next] : "";
}

/** Where the library ends and the composer begins behind a pane, in pixels from its corner. */
function placesIn(pane: HTMLElement) {
  const height = pane.clientHeight;
  const row = document.querySelector("[data-session]");
  const composer = document.querySelector("[data-composer]");
  return {
    height,
    libraryEnd: row ? rectIn(pane, row.getBoundingClientRect()).right + 8 : 0,
    composerStart: composer ? rectIn(pane, composer.getBoundingClientRect()).top : height,
  };
}

function edgeAt(
  { height, libraryEnd, composerStart }: ReturnType<typeof placesIn>,
  { x, y }: { x: number; y: number },
  revealed: string | undefined,
): "library" | "composer" | undefined {
  if (libraryEnd > 0 && x < (revealed === "library" ? libraryEnd : nearEdge)) return "library";
  if (composerStart < height && y > (revealed === "composer" ? composerStart : height - nearEdge))
    return "composer";
  return undefined;
}
