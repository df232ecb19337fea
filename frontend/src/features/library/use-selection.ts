import { useEffect, useRef, useState } from "react";
import { type Held, nothing, prune, type Selection, take, takeAll } from "./selection";
import type { useSessions } from "./use-sessions";

/** A click without modifier keys. */
export const plain: Held = { shift: false, control: false };

/** The selection; it follows the session on screen and drops sessions that have left the list. */
export function useSelection(openId: string, order: readonly string[], isFetching: boolean) {
  const [selection, setSelection] = useState<Selection>(nothing);
  useEffect(() => {
    if (openId) setSelection((now) => (now.ids.has(openId) ? now : take(now, [], openId, plain)));
  }, [openId]);
  const before = useRef(order);
  useEffect(() => {
    // Between two pages of another list, missing sessions have not left it.
    if (isFetching) return;
    setSelection((now) => prune(now, before.current, order));
    before.current = order;
  }, [order, isFetching]);
  return [selection, setSelection] as const;
}

/** Opens the selected session, but only the last of a series of arrow keys. */
export function useOpening(
  onOpen: (id: string) => void,
  onTake: (id: string, held: Held) => boolean,
) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const lastMs = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (id: string, held: Held) => {
    clearTimeout(timer.current);
    if (!onTake(id, held)) return;
    const hurried = Date.now() - lastMs.current < 150;
    lastMs.current = Date.now();
    if (hurried) timer.current = setTimeout(() => onOpen(id), 150);
    else onOpen(id);
  };
}

/** Selects everything that matches the filter, even if it is not loaded. */
export function useSelectAll(
  list: ReturnType<typeof useSessions>,
  order: readonly string[],
  setSelection: (change: (now: Selection) => Selection) => void,
) {
  const { hasNextPage, fetchNextPage } = list;
  return async () => {
    if (!hasNextPage) {
      setSelection((now) => takeAll(now, order));
      return;
    }
    let read = await fetchNextPage();
    while (read.hasNextPage && !read.isError) read = await fetchNextPage();
    const all = read.data?.pages.flatMap((page) => page.sessions.map(({ id }) => id)) ?? order;
    setSelection((now) => takeAll(now, [...new Set(all)]));
  };
}
