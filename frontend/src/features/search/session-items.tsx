import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { SourceMark } from "@/components/source-mark";
import { api, type SessionFilter } from "@/lib/api";
import { baseName, formatAge, formatPlural } from "@/lib/format";
import { keys } from "@/lib/query";
import { groupLook, itemLook } from "./panel-looks";

const shown = 6;

interface SessionItemsProps {
  typed: string;
  onOpen: (id: string) => void;
}

/** The newest sessions that fit what was typed; the newest of all where nothing was. */
export function SessionItems({ typed, onOpen }: SessionItemsProps) {
  const filter: SessionFilter = {
    query: typed.trim(),
    sources: [],
    statuses: [],
    workspace: "",
    model: "",
    label: "",
    parentId: "",
    children: typed.trim() !== "",
    incomplete: false,
    pinned: false,
    archived: false,
    trash: false,
    sort: "updated",
    pinnedFirst: false,
    activeFromMs: 0,
    activeBeforeMs: 0,
    limit: shown,
    offset: 0,
  };
  const { data } = useQuery({
    queryKey: keys.sessions(filter),
    queryFn: () => api.listSessions(filter),
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
  if (!data || data.sessions.length === 0) return null;
  return (
    <Command.Group heading={typed.trim() ? "Sessions" : "Recent sessions"} className={groupLook}>
      {data.sessions.map((session) => (
        <Command.Item
          key={session.id}
          value={`session ${session.id}`}
          className={itemLook}
          onSelect={() => onOpen(session.id)}
        >
          <SourceMark source={session.source} />
          <span className="min-w-0 flex-1 truncate" dir="auto" title={session.title}>
            {session.title || "Untitled"}
          </span>
          {session.workspacePath && (
            <span className="max-w-40 truncate text-sm text-text-3" title={session.workspacePath}>
              {baseName(session.workspacePath)}
            </span>
          )}
          <span className="w-20 text-right text-sm text-text-3">
            {formatPlural(session.messageCount, "msg")}
          </span>
          <span className="w-12 text-right text-sm text-text-3">
            {formatAge(session.updatedAtMs)}
          </span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}
