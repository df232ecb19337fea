import { Command } from "cmdk";
import { SourceMark } from "@/components/session/source-mark";
import type { Session } from "@/lib/api/api";
import { baseName, formatAge, formatPlural } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { groupLook, itemLook } from "./panel-looks";

interface SessionItemsProps {
  sessions: readonly Session[];
  /** The field is empty. */
  areRecent: boolean;
  onOpen: (id: string) => void;
}

/** The matching sessions. */
export function SessionItems({ sessions, areRecent, onOpen }: SessionItemsProps) {
  if (sessions.length === 0) return null;
  return (
    <Command.Group heading={areRecent ? t("Recent sessions") : t("Sessions")} className={groupLook}>
      {sessions.map((session) => (
        <Command.Item
          key={session.id}
          value={`session ${session.id}`}
          className={itemLook}
          onSelect={() => onOpen(session.id)}
        >
          <SourceMark source={session.source} />
          <span className="min-w-0 flex-1 truncate" dir="auto" title={session.title}>
            {session.title || t("Untitled")}
          </span>
          {session.workspacePath && (
            <span className="max-w-40 truncate text-sm text-text-3" title={session.workspacePath}>
              {baseName(session.workspacePath)}
            </span>
          )}
          <span className="w-20 text-end text-sm text-text-3">
            {formatPlural(session.messageCount, "msg")}
          </span>
          <span className="w-12 text-end text-sm text-text-3">
            {formatAge(session.updatedAtMs)}
          </span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}
