import type { QueryClient } from "@tanstack/react-query";
import { firstPage, pageQuery } from "./use-path";
import { recallPosition } from "./use-positions";

/** Asks for the messages that a path opens with. The promise ends when they have come or failed; undefined: they are here. */
export function fetchAhead(
  client: QueryClient,
  sessionId: string,
  leafUid: string,
): Promise<void> | undefined {
  const row = recallPosition(sessionId, leafUid)?.index ?? 0;
  const query = pageQuery(sessionId, leafUid, firstPage(row));
  return client.getQueryData(query.queryKey) ? undefined : client.prefetchQuery(query);
}
