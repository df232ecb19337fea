import { keepPreviousData, useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { Command } from "cmdk";
import { GitBranch } from "lucide-react";
import { SourceMark } from "@/components/source-mark";
import { Spinner } from "@/components/spinner";
import { api, type Hit, type SearchQuery, toApiError } from "@/lib/api";
import { formatAge, formatExact, formatPlural } from "@/lib/format";
import { keys } from "@/lib/query";
import { groupHits, splitSnippet, whyNot } from "./matching";
import { groupLook, itemLook } from "./panel-looks";

/** More than a person reads, and quick to draw. */
const limit = 100;

interface HitItemsProps {
  text: string;
  /** The text has changed since. */
  typing: boolean;
  regex: boolean;
  /** Empty: every session. */
  sessionId: string;
  onOpen: (sessionId: string, uid: string) => void;
}

/** The messages that hold what was typed, under their sessions. */
export function HitItems({ text, typing, regex, sessionId, onOpen }: HitItemsProps) {
  const query: SearchQuery = { text: text.trim(), regex, sessionId, limit };
  const reason = whyNot(text, regex);
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: keys.search(query),
    queryFn: () => api.search(query),
    enabled: reason === "",
    // New messages come without a word to this key.
    staleTime: 0,
    gcTime: 30_000,
    placeholderData: keepPreviousData,
  });
  if (reason) return <Note text={reason} />;
  const failure = error ? toApiError(error) : undefined;
  // The next search ends the one before it; that is no failure.
  if (failure && failure.code !== "canceled" && !isFetching)
    return <Note text={failure.message} hint={failure.hint} bad />;
  if (!data) return <Note busy text="Searching messages" />;
  const waiting = typing || (isFetching && isPlaceholderData);
  if (data.length === 0)
    return waiting ? (
      <Note busy text="Searching messages" />
    ) : (
      <Note text="No message holds this, in any branch." />
    );
  const count =
    data.length >= limit ? `the newest ${limit} hits` : formatPlural(data.length, "hit");
  return (
    <div className={clsx(waiting && "opacity-60")}>
      <p className="flex items-center gap-2 px-2.5 pt-2 text-xs text-text-3" aria-live="polite">
        Messages · {count}
        {waiting && <Spinner label="Searching" />}
      </p>
      {groupHits(data).map((group) => (
        <Command.Group
          key={group.sessionId}
          className={groupLook}
          heading={
            <span className="flex items-center gap-2 text-text-2">
              <SourceMark source={group.source} />
              <span className="min-w-0 truncate" dir="auto">
                {group.title || "Untitled"}
              </span>
            </span>
          }
        >
          {group.hits.map((hit, index) => (
            <Command.Item
              // A message can be hit in several parts.
              // biome-ignore lint/suspicious/noArrayIndexKey: hits of one answer do not move
              key={`${hit.uid} ${index}`}
              value={`hit ${hit.sessionId} ${hit.uid} ${index}`}
              className={itemLook}
              onSelect={() => onOpen(hit.sessionId, hit.uid)}
            >
              <HitLine hit={hit} />
            </Command.Item>
          ))}
        </Command.Group>
      ))}
    </div>
  );
}

const roles: Record<string, { word: string; look: string }> = {
  user: { word: "You", look: "text-you" },
  assistant: { word: "Assistant", look: "text-accent" },
  tool: { word: "Tool", look: "text-tool" },
  system: { word: "System", look: "text-text-2" },
};

const places: Record<string, string> = {
  reasoning: "reasoning",
  tool_call: "tool call",
  tool_result: "tool result",
  summary: "summary",
};

function HitLine({ hit }: { hit: Hit }) {
  const [before, match, after] = splitSnippet(hit);
  const role = roles[hit.role] ?? { word: hit.role, look: "text-text-2" };
  return (
    <span className="min-w-0 flex-1">
      <span className="flex items-center gap-2 text-sm text-text-3">
        <span className={clsx("font-semibold", role.look)}>{role.word}</span>
        {places[hit.where] && <span>{places[hit.where]}</span>}
        <span>n{hit.turn}</span>
        {!hit.onPath && (
          <span className="inline-flex items-center gap-1">
            <GitBranch size={12} aria-hidden="true" />
            on another branch
          </span>
        )}
        <span className="ml-auto" title={formatExact(hit.createdAtMs)}>
          {formatAge(hit.createdAtMs)}
        </span>
      </span>
      <span className="block truncate" dir="auto">
        {before}
        <mark className="rounded-sm bg-mark text-text">{match}</mark>
        {after}
      </span>
    </span>
  );
}

interface NoteProps {
  text: string;
  hint?: string;
  bad?: boolean;
  busy?: boolean;
}

function Note({ text, hint, bad, busy }: NoteProps) {
  return (
    <div
      role={bad ? "alert" : "status"}
      className={clsx("flex items-center gap-2 px-2.5 py-3", bad ? "text-error" : "text-text-3")}
    >
      {busy ? <Spinner label={text} /> : text}
      {hint && <span className="text-text-2">{hint}</span>}
    </div>
  );
}
