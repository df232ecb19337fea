import { useCallback, useEffect, useRef, useState } from "react";

const restMs = 400;

/** A turn under the pointer, and its height in the pane. */
interface Hover {
  turn: number;
  top: number;
}

/** What the pointer rests on: set at once, reported after 400 ms, cleared at once. */
export function useHover(): [Hover | null, (hover: Hover | null) => void] {
  const [shown, setShown] = useState<Hover | null>(null);
  const pending = useRef<{ turn: number; timer: ReturnType<typeof setTimeout> }>(null);
  const hover = useCallback((next: Hover | null) => {
    if (next && pending.current?.turn === next.turn) return;
    if (pending.current) clearTimeout(pending.current.timer);
    pending.current = null;
    setShown(null);
    if (next)
      pending.current = { turn: next.turn, timer: setTimeout(() => setShown(next), restMs) };
  }, []);
  useEffect(() => () => clearTimeout(pending.current?.timer), []);
  return [shown, hover];
}
