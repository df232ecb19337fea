import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import type { TurnOnPath } from "../path/path-turns";

/** What was done in a turn. A turn of the same length never changes, on whatever path it is read. */
export function useWork({ sessionId, leafUid, number, from, count }: TurnOnPath) {
  return useQuery({
    queryKey: keys.work(sessionId, number, count),
    queryFn: () => api.getTurnWork(sessionId, leafUid, { from, count }),
    // While a run adds to the turn, the former count stays on screen.
    placeholderData: (before, query) => (query?.queryKey[2] === number ? before : undefined),
  });
}
