import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api, type PathHit } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { useDebounced } from "@/lib/browser/use-debounced";
import type { OnView } from "@/lib/session/location";

const pauseMs = 180;

interface Wanted {
  sessionId: string;
  leafUid: string;
  /** The message at the top of the view: the first hit that is shown is at it or below. */
  depth: number;
  onView: OnView;
}

/** The find bar: what is looked for on a path, the hits, and which of them is shown. */
export function useFind({ sessionId, leafUid, depth, onView }: Wanted) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [index, setIndex] = useState(0);
  const asked = useDebounced(text.trim(), pauseMs);
  const { data, error } = useQuery({
    queryKey: keys.found(sessionId, leafUid, asked),
    queryFn: () => api.findOnPath(sessionId, leafUid, asked),
    enabled: open && asked !== "",
  });
  const found = asked === "" ? undefined : data;
  const hits = found?.hits ?? [];
  const show = (at: number) => {
    const hit = hits[at];
    if (!hit) return;
    setIndex(at);
    onView({ leafUid, focusUid: hit.uid, passage: passageOf(hit) });
  };
  const newest = useRef({ hits, depth, show });
  newest.current = { hits, depth, show };
  // The first hit is shown once it is known, not again when the path grows.
  const hasHits = hits.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each text has its first hit
  useEffect(() => {
    const { hits, depth, show } = newest.current;
    if (open && hasHits) show(nearest(hits, depth));
  }, [open, asked, hasHits]);
  return {
    open,
    setOpen,
    text,
    setText,
    hits,
    index: Math.min(index, Math.max(0, hits.length - 1)),
    elsewhere: found?.elsewhere ?? 0,
    more: found?.more ?? false,
    isDone: found !== undefined,
    error,
    step: (by: 1 | -1) => {
      if (hits.length > 0) show((index + by + hits.length) % hits.length);
    },
    show,
  };
}

export type Find = ReturnType<typeof useFind>;

/** The first hit at a message or below it; the first of all if none is below. */
export function nearest(hits: readonly PathHit[], depth: number): number {
  return Math.max(
    0,
    hits.findIndex((hit) => hit.depth >= depth),
  );
}

function passageOf({ snippet, part, markFrom, markTo }: PathHit) {
  return { snippet, part, from: markFrom, to: markTo };
}
