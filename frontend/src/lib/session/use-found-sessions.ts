import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, type Session, type SessionFilter } from "@/lib/api/api";
import { keys } from "@/lib/api/query";

const shown = 6;

/** The sessions with matching titles; `waiting` while they belong to the previous text. */
interface FoundSessions {
  sessions: readonly Session[];
  waiting: boolean;
}

/** Finds the newest sessions that match the typed text, after those with exactly this title; for an empty text, the newest of all. */
export function useFoundSessions(typed: string, enabled: boolean): FoundSessions {
  const text = typed.trim();
  const filter: SessionFilter = {
    query: text,
    sources: [],
    statuses: [],
    workspace: "",
    model: "",
    label: "",
    tag: "",
    project: "",
    branched: false,
    errors: false,
    parentId: "",
    children: text !== "",
    incomplete: false,
    pinned: false,
    archived: false,
    trash: false,
    sort: "match",
    pinnedFirst: false,
    activeFromMs: 0,
    activeBeforeMs: 0,
    limit: shown,
    offset: 0,
  };
  const { data, isPlaceholderData, isPending } = useQuery({
    queryKey: keys.sessions(filter),
    queryFn: () => api.listSessions(filter),
    enabled,
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
  if (!enabled) return { sessions: [], waiting: false };
  return {
    sessions: data?.sessions ?? [],
    waiting: isPlaceholderData || isPending,
  };
}
