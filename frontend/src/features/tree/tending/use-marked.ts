import { useCallback, useState } from "react";

const none: ReadonlySet<number> = new Set();

/** The turns that are marked to do something with all of them. They are forgotten when the tree changes otherwise than by growing. */
export function useMarked(reshapes: number) {
  const [state, setState] = useState({ reshapes, turns: none });
  const marked = state.reshapes === reshapes ? state.turns : none;
  const setMarked = useCallback(
    (turns: ReadonlySet<number>) => setState({ reshapes, turns }),
    [reshapes],
  );
  const toggle = useCallback(
    (turn: number) => {
      const next = new Set(marked);
      if (!next.delete(turn)) next.add(turn);
      setMarked(next);
    },
    [marked, setMarked],
  );
  const add = useCallback(
    (...turns: number[]) => setMarked(new Set([...marked, ...turns])),
    [marked, setMarked],
  );
  return { marked, toggle, add, clear: useCallback(() => setMarked(none), [setMarked]) };
}

export type Marked = ReturnType<typeof useMarked>;
