// The only cache of data from Go: its keys, and which of them a change makes stale.

import { QueryClient } from "@tanstack/react-query";
import { onChanged, type SearchQuery, type SessionFilter, type StatisticsQuery } from "./api";

/** The cache's keys. Each feature builds its queries on these, so that changes find them. */
export const keys = {
  sessions: (filter?: SessionFilter) => (filter ? ["sessions", filter] : ["sessions"]),
  facets: () => ["facets"],
  about: () => ["about"],
  libraryState: () => ["libraryState"],
  locationRisk: () => ["locationRisk"],
  settings: () => ["settings"],
  sources: () => ["sources"],
  followed: () => ["settings", "followed"],
  session: (id: string) => ["session", id],
  links: (id?: string) => (id === undefined ? ["links"] : ["links", id]),
  tree: (id: string) => ["tree", id],
  window: (id: string, leafUid?: string, page?: number) =>
    leafUid === undefined ? ["window", id] : ["window", id, leafUid, page ?? 0],
  siblings: (id: string, uid: string) => ["siblings", id, uid],
  /** Two branches of a session: a page of their rows, or the whole comparison. */
  comparison: (id: string, leftUid: string, rightUid: string, page?: number) =>
    page === undefined
      ? ["comparison", id, leftUid, rightUid]
      : ["comparison", id, leftUid, rightUid, page],
  tool: (id: string, uid: string, part: number) => ["tool", id, uid, part],
  job: (id: string) => ["job", id],
  /** The options for a run of a session; the session is empty for a new one. */
  composer: (id: string, workspace?: string) =>
    workspace === undefined ? ["composer", id] : ["composer", id, workspace],
  /** What a run would send a model, by the request. */
  sending: (id: string, ...asked: unknown[]) => ["sending", id, ...asked],
  modelCosts: (id: string) => ["modelCosts", id],
  approvals: (id: string) => ["approvals", id],
  apiKeys: () => ["apiKeys"],
  search: (query: SearchQuery) => ["search", query],
  hitCount: (query: SearchQuery) => ["search", query, "count"],
  /** A search that reads messages; it is not restarted while new ones arrive. */
  reading: (query: SearchQuery) => ["reading", query],
  indexing: () => ["indexing"],
  statistics: (query?: StatisticsQuery) => (query ? ["statistics", query] : ["statistics"]),
} as const;

/** Nothing becomes stale with time: Go reports what changed. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 5 * 60_000,
        retry: false,
        refetchOnWindowFocus: false,
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}

/** The keys that a change of this kind makes stale; see ChangedListener for the kinds. */
export function staleKeys(changed: string): readonly (readonly unknown[])[] {
  if (changed === "library")
    return [keys.sessions(), keys.facets(), keys.about(), keys.libraryState(), keys.links()];
  if (changed === "settings") return [keys.settings()];
  if (changed === "following") return [keys.followed()];
  if (changed === "index") return [keys.indexing(), ["search"]];
  if (changed === "statistics") return [keys.statistics()];
  // A run in progress is followed frame by frame, see runs.ts.
  if (changed.startsWith("run:")) return [];
  if (changed.startsWith("job:")) return [keys.job(changed.slice("job:".length))];
  return [
    keys.session(changed),
    // Sessions linked with it show its state too.
    keys.links(),
    keys.tree(changed),
    keys.window(changed),
    ["siblings", changed],
    ["tool", changed],
    ["comparison", changed],
    keys.modelCosts(changed),
    keys.approvals(changed),
  ];
}

/** An import changes the library many times a second; the lists are refetched at this interval. */
const pauseMs = 250;

/**
 * Refetches what is on screen when Go reports a change: at once, and then at most every quarter of
 * a second for the same thing, not before the previous answers have arrived, and without ever losing
 * the last change. Returns a function that disconnects.
 */
export function connectChanges(client: QueryClient): () => void {
  const waiting = new Map<string, { again: boolean; timer?: ReturnType<typeof setTimeout> }>();
  const refetch = async (changed: string) => {
    const pause = { again: false, timer: undefined as ReturnType<typeof setTimeout> | undefined };
    waiting.set(changed, pause);
    const beganMs = performance.now();
    await Promise.all(staleKeys(changed).map((queryKey) => client.invalidateQueries({ queryKey })));
    if (waiting.get(changed) !== pause) return; // disconnected
    const restMs = Math.max(0, pauseMs - (performance.now() - beganMs));
    pause.timer = setTimeout(() => {
      waiting.delete(changed);
      if (pause.again) void refetch(changed);
    }, restMs);
  };
  const disconnect = onChanged((changed) => {
    const pause = waiting.get(changed);
    if (pause) pause.again = true;
    else void refetch(changed);
  });
  return () => {
    disconnect();
    for (const { timer } of waiting.values()) clearTimeout(timer);
    waiting.clear();
  };
}
