// The only cache of data from Go: its keys, and which of them a change makes stale.

import { hashKey, QueryClient } from "@tanstack/react-query";
import {
  type Change,
  type ChangeKind,
  onChanged,
  type SearchQuery,
  type SessionFilter,
  type StatisticsQuery,
} from "./api";

/** The cache's keys. Each feature builds its queries on these, so that changes find them. */
export const keys = {
  sessions: (filter?: SessionFilter) => (filter ? ["sessions", filter] : ["sessions"]),
  facets: () => ["facets"],
  about: () => ["about"],
  home: () => ["home"],
  libraryState: () => ["libraryState"],
  locationRisk: () => ["locationRisk"],
  titleEstimate: (ids: readonly string[], model: string) => ["titleEstimate", ids, model],
  fileNames: (prefix: string) => ["fileNames", prefix],
  settings: () => ["settings"],
  sources: () => ["sources"],
  followed: () => ["settings", "followed"],
  mirror: () => ["settings", "mirror"],
  secrets: () => ["secrets"],
  sessionsWithSecrets: () => ["secrets", "sessions"],
  session: (id: string) => ["session", id],
  links: (id?: string) => (id === undefined ? ["links"] : ["links", id]),
  tree: (id: string) => ["tree", id],
  checkpoints: (id: string) => ["checkpoints", id],
  window: (id: string, leafUid?: string, page?: number) =>
    leafUid === undefined ? ["window", id] : ["window", id, leafUid, page ?? 0],
  /** The turns of a path in short. */
  digest: (id: string, ...asked: unknown[]) => ["digest", id, ...asked],
  /** What was done in a turn, which does not change: by its number, its messages, and what of it. */
  work: (id: string, turn: number, count: number, ...asked: unknown[]) => [
    "work",
    id,
    turn,
    count,
    ...asked,
  ],
  /** The messages of a path that contain a text. */
  found: (id: string, ...asked: unknown[]) => ["found", id, ...asked],
  siblings: (id: string, uid: string) => ["siblings", id, uid],
  /** Two branches of a session: a page of their rows, or the whole comparison. */
  comparison: (id: string, leftUid: string, rightUid: string, page?: number) =>
    page === undefined
      ? ["comparison", id, leftUid, rightUid]
      : ["comparison", id, leftUid, rightUid, page],
  tool: (id: string, uid: string, part: number) => ["tool", id, uid, part],
  job: (id: string) => ["job", id],
  /** The jobs that agents of a session gave to others. */
  agentJobs: (id: string) => ["agentJobs", id],
  /** The team of a session, or that of a file, which depends on its workspace. */
  team: (id: string, workspace?: string, ref = "") =>
    workspace === undefined ? ["team", id] : ["team", id, workspace, ref],
  /** The options for a run of a session; the session is empty for a new one. */
  composer: (id: string, workspace?: string) =>
    workspace === undefined ? ["composer", id] : ["composer", id, workspace],
  /** What a run would send a model, by the request. */
  sent: (id: string, uid: string) => ["sent", id, uid],
  sending: (id: string, ...asked: unknown[]) => ["sending", id, ...asked],
  modelCosts: (id: string) => ["modelCosts", id],
  agentCosts: (id: string) => ["modelCosts", id, "agents"],
  /** The agents of a session that has several. */
  authors: (id: string) => ["authors", id],
  agentTurns: (id: string) => ["authors", id, "turns"],
  /** What a hibernated session waits for. */
  wakes: (id: string) => ["wakes", id],
  approvals: (id: string) => ["approvals", id],
  // Below "settings", because a change of those makes them stale.
  providers: () => ["settings", "providers"],
  defaults: () => ["settings", "defaults"],
  agents: () => ["settings", "agents"],
  servers: () => ["settings", "servers"],
  trusted: () => ["settings", "trusted"],
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

type Keys = readonly (readonly unknown[])[];

/** The lists of sessions, with their counts. Sessions linked with others show these too. */
const lists: Keys = [
  keys.sessions(),
  keys.facets(),
  keys.about(),
  keys.home(),
  keys.links(),
  keys.secrets(),
];

/** What is shown of the messages and branches of a session. */
const ofMessages = (id: string): Keys => [
  keys.session(id),
  keys.tree(id),
  keys.checkpoints(id),
  keys.window(id),
  keys.digest(id),
  keys.found(id),
  ["siblings", id],
  ["tool", id],
  ["comparison", id],
  keys.modelCosts(id),
  keys.authors(id),
  ...lists,
];

/** The queries that each kind of change makes stale. */
const stale: Record<ChangeKind, (change: Change) => Keys> = {
  list: () => lists,
  library: () => [keys.libraryState()],
  settings: () => [keys.settings()],
  statistics: () => [keys.statistics()],
  index: () => [keys.indexing(), ["search"]],
  following: () => [keys.followed()],
  job: ({ jobId }) => [keys.job(jobId)],
  session: ({ sessionId }) => [keys.session(sessionId), keys.wakes(sessionId), ...lists],
  // A session that is opened from the list begins with the head that the list knows.
  head: ({ sessionId }) => [
    keys.session(sessionId),
    keys.tree(sessionId),
    keys.sessions(),
    keys.team(sessionId),
  ],
  messages: ({ sessionId }) => ofMessages(sessionId),
  labels: ({ sessionId }) => [
    keys.session(sessionId),
    keys.tree(sessionId),
    keys.window(sessionId),
    keys.digest(sessionId),
    ["comparison", sessionId],
  ],
  trash: ({ sessionId }) => ofMessages(sessionId),
  // The composer shows the model and the mode that the session continues with.
  checkpoints: ({ sessionId }) => [
    keys.checkpoints(sessionId),
    keys.composer(sessionId),
    ["sending", sessionId],
  ],
  approvals: ({ sessionId }) => [sessionId ? keys.approvals(sessionId) : ["approvals"]],
  // A run in progress is followed frame by frame, see runs.ts.
  run: () => [],
};

/** The keys that a change makes stale, each once. */
export function staleKeys(change: Change): Keys {
  const found = new Map<string, readonly unknown[]>();
  for (const kind of change.kinds)
    for (const key of stale[kind](change)) found.set(hashKey(key), key);
  return [...found.values()];
}

/** An import changes the library many times a second; each key is refetched at this interval. */
const pauseMs = 250;

/**
 * Refetches what is on screen when Go reports a change: at once, and then at most every quarter of
 * a second for the same key, not before the previous answers have arrived, and without ever losing
 * the last change. Returns a function that disconnects.
 */
export function connectChanges(client: QueryClient): () => void {
  const waiting = new Map<string, { again: boolean; timer?: ReturnType<typeof setTimeout> }>();
  const refetch = async (queryKey: readonly unknown[]) => {
    const hash = hashKey(queryKey);
    const pause = { again: false, timer: undefined as ReturnType<typeof setTimeout> | undefined };
    waiting.set(hash, pause);
    const beganMs = performance.now();
    await client.invalidateQueries({ queryKey });
    if (waiting.get(hash) !== pause) return; // disconnected
    const restMs = Math.max(0, pauseMs - (performance.now() - beganMs));
    pause.timer = setTimeout(() => {
      waiting.delete(hash);
      if (pause.again) void refetch(queryKey);
    }, restMs);
  };
  const disconnect = onChanged((change) => {
    for (const key of staleKeys(change)) {
      const pause = waiting.get(hashKey(key));
      if (pause) pause.again = true;
      else void refetch(key);
    }
  });
  return () => {
    disconnect();
    for (const { timer } of waiting.values()) clearTimeout(timer);
    waiting.clear();
  };
}
