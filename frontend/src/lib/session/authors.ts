// Who answers in a session: agents of a team, or those that the user chose one after the other.

import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { painted } from "@/lib/browser/after-paint";

const none: readonly string[] = [];

/** Returns the agents of a session that has several, in the order of their colors; empty for one agent. */
export function useAuthors(sessionId: string): readonly string[] {
  const { data } = useQuery({
    queryKey: keys.authors(sessionId),
    queryFn: () => painted().then(() => api.listAuthors(sessionId)),
    // The same list stays the same object, so that nothing is drawn again.
    placeholderData: (before) => before,
  });
  return data ?? none;
}
