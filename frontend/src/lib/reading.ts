// The turn that the user reads: the transcript reports it, the tree marks it.

import { useEffect, useSyncExternalStore } from "react";

let reading = { sessionId: "", turn: -1 };
const listeners = new Set<() => void>();

function tell(sessionId: string, turn: number) {
  if (reading.sessionId === sessionId && reading.turn === turn) return;
  reading = { sessionId, turn };
  for (const listener of [...listeners]) listener();
}

/** Reports the turn at the top of the transcript; undefined if it is not known. */
export function useReadTurn(sessionId: string, turn: number | undefined): void {
  useEffect(() => {
    if (turn !== undefined) tell(sessionId, turn);
  }, [sessionId, turn]);
}

/** The turn at the top of the transcript; -1 for none. */
export function useReading(sessionId: string): number {
  const { turn, sessionId: of } = useSyncExternalStore(subscribe, () => reading);
  return of === sessionId ? turn : -1;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
