// The two branches to show side by side: requested by the tree, the transcript and the palette, drawn by the shell.

import { useSyncExternalStore } from "react";

/** Two paths of a session, each by its last message. */
export interface Comparing {
  sessionId: string;
  leftUid: string;
  rightUid: string;
}

let current: Comparing | undefined;
const listeners = new Set<() => void>();

function set(next: Comparing | undefined) {
  current = next;
  for (const listener of [...listeners]) listener();
}

/** Shows two branches side by side. */
export function openComparison(comparing: Comparing): void {
  set(comparing);
}

/** Changes a comparison while it is on screen: the answer that defines it may arrive after it was closed. */
export function changeComparison(from: Comparing, to: Partial<Comparing>): void {
  if (current === from) set({ ...from, ...to });
}

/** Returns to the transcript. */
export function closeComparison(): void {
  set(undefined);
}

/** The branches of a session to show side by side; undefined: the transcript is shown. */
export function useComparing(sessionId: string): Comparing | undefined {
  const comparing = useSyncExternalStore(subscribe, () => current);
  return comparing?.sessionId === sessionId ? comparing : undefined;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
