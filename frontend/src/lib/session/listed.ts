import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { Session, SessionPage } from "@/lib/api/api";
import { keys } from "@/lib/api/query";

/**
 * Uses a session from a list as its cached data if none are cached yet, so that it opens at once. It is requested
 * all the same. Returns the cached data; undefined if no list has it.
 */
export function takeListed(client: QueryClient, id: string): Session | undefined {
  const queryKey = keys.session(id);
  const known = client.getQueryData<Session>(queryKey);
  if (known) return known;
  const listed = findListed(client, id);
  if (!listed) return undefined;
  client.setQueryData(queryKey, listed);
  void client.invalidateQueries({ queryKey, refetchType: "none" });
  return listed;
}

function findListed(client: QueryClient, id: string): Session | undefined {
  const lists = client.getQueriesData<InfiniteData<SessionPage>>({ queryKey: keys.sessions() });
  for (const [, list] of lists)
    for (const page of list?.pages ?? []) {
      const found = page.sessions.find((session) => session.id === id);
      if (found) return found;
    }
  return undefined;
}
