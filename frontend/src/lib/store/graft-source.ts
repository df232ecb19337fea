// The turn that was copied to be grafted elsewhere. It is forgotten when the window closes.

import type { GraftSource } from "@/lib/api/api";
import { createStore, useStore } from "./store";

/** A graft source and its label: "n9 and what follows". */
export interface CopiedTurn {
  source: GraftSource;
  name: string;
}

const copied = createStore<CopiedTurn | undefined>(undefined);

/** Stores what to graft next. */
export const copyTurn = copied.set;

/** The turn that was copied last; undefined if none exists. */
export function useCopiedTurn(): CopiedTurn | undefined {
  return useStore(copied, (now) => now);
}
