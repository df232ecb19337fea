// A turn that was cut to be grafted elsewhere, with the messages that belong to it. It is forgotten when the window closes.

import { useSyncExternalStore } from "react";
import type { Scion } from "./api";

/** A graft source and its label: "n9 and what follows". */
export interface Cutting {
  scion: Scion;
  name: string;
}

let current: Cutting | undefined;
const listeners = new Set<() => void>();

/** Remembers what to graft next. */
export function cut(cutting: Cutting): void {
  current = cutting;
  for (const listener of [...listeners]) listener();
}

/** What was cut last; undefined: nothing. */
export function useCutting(): Cutting | undefined {
  return useSyncExternalStore(subscribe, () => current);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
