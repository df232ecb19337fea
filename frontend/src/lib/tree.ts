import { type QueryClient, useQuery } from "@tanstack/react-query";
import { api } from "./api";
import { keys } from "./query";
import { readSkeleton, type Tree } from "./skeleton";

/** Reads a session's tree: only what is new where it was read before. */
async function readTree(client: QueryClient, sessionId: string): Promise<Tree> {
  const before = client.getQueryData<Tree>(keys.tree(sessionId));
  const bytes = await api.getSkeleton(
    sessionId,
    (before?.messageCount ?? 0) - 1,
    before?.reshapes ?? 0,
  );
  return readSkeleton(sessionId, bytes, before);
}

/** A session's tree, kept up to date while the session grows. */
export function useTree(sessionId: string) {
  return useQuery({
    queryKey: keys.tree(sessionId),
    queryFn: ({ client }) => readTree(client, sessionId),
    structuralSharing: false,
  });
}

/** Where a message stands in the tree; the last known place while another one is looked up, undefined before the first. */
export function useMessagePlace(sessionId: string, uid: string) {
  const { data } = useQuery({
    queryKey: placeKey(sessionId, uid),
    queryFn: () => api.locate(sessionId, uid),
    enabled: uid !== "",
    placeholderData: (before) => (before?.sessionId === sessionId ? before : undefined),
  });
  return uid === "" ? undefined : data;
}

/** The key of where a message stands; it grows stale with its tree. */
export function placeKey(sessionId: string, uid: string) {
  return [...keys.tree(sessionId), "place", uid];
}
