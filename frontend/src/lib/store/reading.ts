// The turn that the user reads: the transcript reports it, the tree marks it.

import { useEffect } from "react";
import { createStore, useStore } from "./store";

const reading = createStore({ sessionId: "", turn: -1 });

/** Reports the turn at the top of the transcript; undefined if it is not known. */
export function useReadTurn(sessionId: string, turn: number | undefined): void {
  useEffect(() => {
    const now = reading.get();
    if (turn === undefined || (now.sessionId === sessionId && now.turn === turn)) return;
    reading.set({ sessionId, turn });
  }, [sessionId, turn]);
}

/** The turn at the top of the transcript; -1 for none. */
export function useReading(sessionId: string): number {
  return useStore(reading, (now) => (now.sessionId === sessionId ? now.turn : -1));
}
