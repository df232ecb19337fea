// Which two branches are to be seen side by side: asked for by the tree, the transcript and the palette, drawn by the shell.

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

/** Changes a comparison while it is on screen: the answer that says what to show may come after it was left. */
export function changeComparison(from: Comparing, to: Partial<Comparing>): void {
  if (current === from) set({ ...from, ...to });
}

/** Goes back to the transcript. */
export function closeComparison(): void {
  set(undefined);
}

/** The branches of a session that are to be seen side by side; undefined: its transcript is. */
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
