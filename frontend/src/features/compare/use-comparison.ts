import { useQueries, useQuery } from "@tanstack/react-query";
import { api, type Comparison, type Pair } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import type { Comparing } from "@/lib/store/comparing";

/** How many rows are fetched at once. */
const pageSize = 100;

function pageQuery({ sessionId, leftUid, rightUid }: Comparing, page: number) {
  return {
    queryKey: keys.comparison(sessionId, leftUid, rightUid, page),
    queryFn: () => api.compare(sessionId, leftUid, rightUid, page * pageSize, pageSize),
  };
}

/** Two branches side by side, as far as they are loaded. */
interface Loaded {
  /** Undefined until it has arrived. */
  comparison: Comparison | undefined;
  error: Error | null;
  retry: () => void;
  /** A row of turns; undefined if it is not loaded. */
  row: (index: number) => Pair | undefined;
}

/** Loads the fork of two branches, the cost of each, and the rows on screen. */
export function useComparison(comparing: Comparing, first: number, last: number): Loaded {
  const {
    data: comparison,
    error,
    refetch,
  } = useQuery({
    ...pageQuery(comparing, 0),
    // The heads stay while other sides load, and with them the focus.
    placeholderData: (before) => before,
  });
  const from = Math.floor(Math.max(0, first) / pageSize);
  const to = Math.floor(Math.max(0, last) / pageSize);
  const pages = useQueries({
    queries: Array.from({ length: to - from + 1 }, (_, at) => pageQuery(comparing, from + at)),
  });
  return {
    comparison,
    error,
    retry: () => void refetch(),
    row: (index) => {
      const page = Math.floor(index / pageSize);
      const data = page === 0 ? comparison : pages[page - from]?.data;
      return data?.rows[index - page * pageSize];
    },
  };
}
