import { type QueryCache, type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { afterPaint } from "@/lib/browser/after-paint";
import { readSkeleton, type Tree } from "./skeleton";

/** The reads in progress, by session. */
const reading = new WeakMap<QueryClient, Map<string, Promise<Tree>>>();

/**
 * Reads a session's tree: only the increment if it was read before. A request during a read waits
 * for it and adds the increment, so that a large tree is not sent twice.
 */
async function readTree(client: QueryClient, sessionId: string): Promise<Tree> {
  const reads = reading.get(client) ?? new Map<string, Promise<Tree>>();
  reading.set(client, reads);
  const earlier = reads.get(sessionId);
  const read = (async () => {
    const known = await earlier?.catch(() => undefined);
    return addNew(sessionId, known ?? client.getQueryData<Tree>(keys.tree(sessionId)));
  })();
  reads.set(sessionId, read);
  try {
    return await read;
  } finally {
    if (reads.get(sessionId) === read) reads.delete(sessionId);
  }
}

async function addNew(sessionId: string, before: Tree | undefined): Promise<Tree> {
  const after = (before?.messageCount ?? 0) - 1;
  const bytes = await api.getSkeleton(sessionId, after, before?.reshapes ?? 0);
  performance.mark("tree arrived", { detail: sessionId });
  return readSkeleton(sessionId, bytes, before);
}

/** How long reading a tree waits for the first messages of its session at most. */
const patienceMs = 1000;

/** A session's tree, updated while the session grows. It is read after the pending messages, see useMessages. */
export function useTree(sessionId: string) {
  const enabled = useMessages(sessionId);
  return useQuery({
    enabled,
    queryKey: keys.tree(sessionId),
    queryFn: ({ client }) => readTree(client, sessionId),
    structuralSharing: false,
  });
}

/**
 * Reports whether messages of a session have been painted, or none are requested; true in any case after a while. A session is opened for
 * its messages, and reading a large tree occupies a core.
 */
function useMessages(sessionId: string): boolean {
  const cache = useQueryClient().getQueryCache();
  const [opened, setOpened] = useState("");
  const isTime = opened === sessionId;
  useEffect(() => {
    if (isTime) return;
    const open = () => setOpened(sessionId);
    let takeBack: (() => void) | undefined;
    const look = () => {
      if (!isWaiting(cache, sessionId)) takeBack ??= afterPaint(open);
    };
    const patience = setTimeout(open, patienceMs);
    // A query is added during a render, and has no data yet.
    const forget = cache.subscribe(({ type }) => type === "updated" && look());
    look();
    return () => {
      clearTimeout(patience);
      takeBack?.();
      forget();
    };
  }, [cache, sessionId, isTime]);
  return isTime;
}

function isWaiting(cache: QueryCache, sessionId: string): boolean {
  const windows = cache.findAll({ queryKey: keys.window(sessionId) });
  return windows.length > 0 && windows.every(({ state }) => state.status === "pending");
}

/** The position of a message in the tree; the last known position while another one is looked up, undefined before the first. */
export function useMessagePlace(sessionId: string, uid: string) {
  const { data } = useQuery({
    queryKey: placeKey(sessionId, uid),
    queryFn: () => api.locate(sessionId, uid),
    enabled: uid !== "",
    placeholderData: (before) => (before?.sessionId === sessionId ? before : undefined),
  });
  return uid === "" ? undefined : data;
}

/** The key of a message's position; it becomes stale with its tree. */
export function placeKey(sessionId: string, uid: string) {
  return [...keys.tree(sessionId), "place", uid];
}
