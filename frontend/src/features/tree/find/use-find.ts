import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { api } from "@/lib/api/api";
import { useDebounced } from "@/lib/browser/use-debounced";
import { partAt, type Tree } from "@/lib/tree/skeleton";

/** A letter is not looked for before the next one may have come. */
const pauseMs = 120;

/** What is looked for in a tree, and where it was found. */
export interface Find {
  isOpen: boolean;
  /** As it is typed. */
  text: string;
  setText: (text: string) => void;
  open: () => void;
  close: () => void;
  /** Turn → 1 if it contains the text; null without a search. The last answer stays until the next one is there. */
  hits: Uint8Array | null;
  isLooking: boolean;
}

const idle = { isOpen: false, text: "" };

/** Looks for a text in all that is said and done in a session, and in its labels. */
export function useFind({ sessionId, skeleton }: Tree): Find {
  const [{ isOpen, text }, setState] = useState(idle);
  const wanted = useDebounced(text.trim(), pauseMs);
  const isAsked = isOpen && wanted !== "" && text.trim() !== "";
  const { data, isFetching } = useQuery({
    queryKey: ["find", sessionId, wanted],
    queryFn: () => api.findTurns(sessionId, wanted),
    enabled: isAsked,
    placeholderData: (before) => before,
    gcTime: 0,
  });
  const hits = useMemo(() => {
    if (!isAsked || !data) return null;
    const { count, hidden } = skeleton;
    const found = new Uint8Array(count);
    for (const number of data)
      for (let turn = partAt(skeleton, number); turn >= 0 && turn < count; turn++) {
        if (skeleton.number[turn] !== number) break;
        if (!hidden[turn]) found[turn] = 1;
      }
    return found;
  }, [isAsked, data, skeleton]);
  return {
    isOpen,
    text,
    hits,
    isLooking: isAsked && isFetching,
    setText: useCallback((next: string) => setState({ isOpen: true, text: next }), []),
    open: useCallback(() => setState((now) => ({ ...now, isOpen: true })), []),
    close: useCallback(() => setState(idle), []),
  };
}
