import { useEffect, useLayoutEffect, useRef } from "react";
import { useLivePart } from "@/lib/runs";
import { theEnd } from "./column";
import type { ColumnView } from "./use-column";

/** So long after a run has ended its last message may still be on its way to the screen. */
const lingerMs = 2000;

/**
 * Keeps the end of the path in view while a run writes there, as long as the reader is there. A run
 * that begins brings its reader to the end.
 */
export function useFollowing(sessionId: string, view: ColumnView): { running: boolean } {
  const running = useLivePart(sessionId, (live) => live?.running ?? false);
  const runId = useLivePart(sessionId, (live) => (live?.running ? live.run.id : ""));
  const { column, goTo } = view;
  const seen = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    const first = seen.current === undefined;
    const before = seen.current;
    seen.current = runId;
    if (runId === "" || runId === before) return;
    column.follow(true);
    // Who opens a session that runs reads where they were.
    if (!first) goTo(theEnd);
  }, [runId, column, goTo]);
  useEffect(() => {
    if (running) return;
    const timer = setTimeout(() => column.follow(false), lingerMs);
    return () => clearTimeout(timer);
  }, [running, column]);
  return { running };
}
