import { useCallback, useDeferredValue, useMemo } from "react";
import { useDebounced } from "@/lib/browser/use-debounced";
import { useWindowState } from "@/lib/store/window-state";
import { type LibraryFilter, noFilter, readFilter, toSessionFilter } from "./filters";
import { toRows } from "./grouped-rows";
import { useFacets, useSessions } from "./use-sessions";

const groupOf = (sort: string) => (sort === "project" || sort === "tag" ? sort : "day");

/** How long the user must have stopped typing before the list is requested. */
const typingMs = 120;

/** The filter of the library, which the window stores, and the sessions that it lets through. */
export function useShownSessions() {
  const [kept, setKept] = useWindowState<Partial<LibraryFilter>>("filter", noFilter);
  const filter = useMemo(() => readFilter(kept), [kept]);
  const change = useCallback(
    (part: Partial<LibraryFilter>) => setKept((now) => ({ ...readFilter(now), ...part })),
    [setKept],
  );
  const sessionFilter = toSessionFilter(filter);
  // Typing stays fast while the list updates; each word is searched for in every title.
  const settled = useDebounced(sessionFilter.query, typingMs);
  const query = sessionFilter.query && settled;
  const listKey = useDeferredValue(JSON.stringify({ ...sessionFilter, query }));
  const shown = useMemo<typeof sessionFilter>(() => JSON.parse(listKey), [listKey]);
  const list = useSessions(shown);
  const facets = useFacets();
  const rows = useMemo(
    () => toRows(list.sessions, shown.sort, shown.pinnedFirst, Date.now(), groupOf(shown.sort)),
    [list.sessions, shown.sort, shown.pinnedFirst],
  );
  const order = useMemo(
    () => rows.flatMap((row) => (row.type === "session" ? [row.key] : [])),
    [rows],
  );
  const byID = useMemo(() => new Map(list.sessions.map((one) => [one.id, one])), [list.sessions]);
  return { filter, change, list, listKey, facets: facets.data, rows, order, byID };
}

export type ShownSessions = ReturnType<typeof useShownSessions>;
