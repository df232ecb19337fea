import type { QueryClient } from "@tanstack/react-query";
import { firstPage, pageQuery } from "./use-path";
import { recallPosition } from "./use-positions";

/** Asks for the messages that a path opens with, which are then on their way while the window is drawn for them. */
export function fetchAhead(client: QueryClient, sessionId: string, leafUid: string): void {
  const row = recallPosition(sessionId, leafUid)?.index ?? 0;
  void client.prefetchQuery(pageQuery(sessionId, leafUid, firstPage(row)));
}
