import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, type Session, type SessionFilter } from "@/lib/api/api";
import { keys } from "@/lib/api/query";

/** Sessions in the first page, which is to be quick, and in the others: at about 1 kB each, half of what an answer may weigh. */
const firstPage = 200;
const laterPages = 500;

/** The sessions of a filter, read page by page from the top; `total` counts those that are still to come. */
export function useSessions(filter: SessionFilter) {
  const query = useInfiniteQuery({
    queryKey: keys.sessions(filter),
    queryFn: ({ pageParam }) =>
      api.listSessions({
        ...filter,
        limit: pageParam === 0 ? firstPage : laterPages,
        offset: pageParam,
      }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => {
      const read = all.reduce((sum, page) => sum + page.sessions.length, 0);
      return last.sessions.length > 0 && read < last.total ? read : undefined;
    },
    placeholderData: keepPreviousData,
    // Comparing ten thousand sessions field by field costs more than drawing what is seen of them.
    structuralSharing: false,
  });
  const pages = query.data?.pages;
  const sessions = useMemo<Session[]>(() => pages?.flatMap((page) => page.sessions) ?? [], [pages]);
  return { ...query, sessions, total: pages?.at(-1)?.total ?? 0 };
}

/** What the library can be filtered by, with counts. */
export function useFacets() {
  return useQuery({ queryKey: keys.facets(), queryFn: api.getFacets });
}
