// The two branches to show side by side: requested by the tree, the transcript and the palette, drawn by the shell.

import { createStore, useStore } from "./store";

/** Two paths of a session, each by its last message. */
export interface Comparing {
  sessionId: string;
  leftUid: string;
  rightUid: string;
}

const shown = createStore<Comparing | undefined>(undefined);

/** Shows two branches side by side. */
export function openComparison(comparing: Comparing): void {
  shown.set(comparing);
}

/** Changes a comparison while it is on screen: the answer that defines it may arrive after it was closed. */
export function changeComparison(from: Comparing, to: Partial<Comparing>): void {
  if (shown.get() === from) shown.set({ ...from, ...to });
}

/** Returns to the transcript. */
export function closeComparison(): void {
  shown.set(undefined);
}

/** The branches of a session to show side by side; undefined: the transcript is shown. */
export function useComparing(sessionId: string): Comparing | undefined {
  return useStore(shown, (now) => (now?.sessionId === sessionId ? now : undefined));
}
