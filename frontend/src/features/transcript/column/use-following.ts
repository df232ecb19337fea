import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLivePart } from "@/lib/run/runs";
import { theEnd } from "./column";
import type { ColumnView } from "./use-column";

/** So long after a run has ended its last message may still be on its way to the screen. */
const lingerMs = 2000;

/**
 * Keeps the end of the path in view while a run writes there, as long as the reader is there. A run
 * that begins brings its reader to the end.
 */
export function useFollowing(sessionId: string, view: ColumnView): { running: boolean } {
  const [openedAtMs] = useState(Date.now);
  const running = useLivePart(sessionId, (live) => live?.running ?? false);
  // A run may be over before its first frame.
  const runId = useLivePart(sessionId, (live) =>
    live && (live.running || live.run.startedAtMs >= openedAtMs) ? live.run.id : "",
  );
  const { column, goTo } = view;
  const seen = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    const before = seen.current;
    seen.current = runId;
    if (runId === "" || runId === before) return;
    column.follow(true);
    // Who opens a session that runs reads where they were.
    if (before !== undefined) goTo(theEnd);
  }, [runId, column, goTo]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each run has its time
  useEffect(() => {
    if (running) return;
    const timer = setTimeout(() => column.follow(false), lingerMs);
    return () => clearTimeout(timer);
  }, [running, runId, column]);
  return { running };
}
