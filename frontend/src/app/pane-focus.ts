// F6 goes round the panes, as it does in other programs.

/** The panes, in the order of F6. */
export type PaneName = "library" | "transcript" | "tree";

const order: PaneName[] = ["library", "transcript", "tree"];

/** What takes the focus in a pane: the marked element, else its list, else the first thing that can, else the pane. */
const candidates = [
  "[data-pane-focus]",
  "[role=listbox], [role=treegrid], [role=tree], [role=feed]",
  '[tabindex="0"], button:not([disabled]), input',
];

/** Moves the focus into a pane; false where the pane cannot have it, as while it is not on screen. */
export function focusPane(name: PaneName): boolean {
  const pane = document.querySelector<HTMLElement>(`[data-pane="${name}"]`);
  if (!pane) return false;
  for (const candidate of candidates) {
    const inside = pane.querySelector<HTMLElement>(candidate);
    if (!inside) continue;
    inside.focus();
    if (pane.contains(document.activeElement)) return true;
  }
  pane.focus();
  return document.activeElement === pane;
}

/** Moves the focus to the next pane, or the one before with -1. */
export function cyclePanes(step: 1 | -1): void {
  const here = document.activeElement?.closest<HTMLElement>("[data-pane]")?.dataset.pane;
  const start = order.indexOf((here ?? (step === 1 ? "tree" : "library")) as PaneName);
  for (let tried = 1; tried <= order.length; tried++) {
    const next = order[(start + tried * step + order.length * 2) % order.length];
    if (next && focusPane(next)) return;
  }
}
