import { useQuery } from "@tanstack/react-query";
import type { Turn } from "@/lib/api/api";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { formatExact, formatPlural } from "@/lib/format/format";
import { shortModel } from "@/lib/format/model";
import { excerptText, openingWord, turnText } from "./turn-name";

interface PreviewCardProps {
  sessionId: string;
  turn: Turn;
  /** The height of what it speaks of, from the top of the pane. */
  top: number;
  /** The height of the pane. */
  room: number;
}

const most = 700;

/** What a turn begins with and what was answered, beside the tree while the pointer rests on it. */
export function PreviewCard({ sessionId, turn, top, room }: PreviewCardProps) {
  const { data: text } = useQuery({
    queryKey: [...keys.window(sessionId), "text", turn.firstUid],
    queryFn: () => api.getMessageMarkdown(sessionId, turn.firstUid),
  });
  // Below the middle it grows upwards, so that it stays in the window.
  const place = top < room / 2 ? { top } : { bottom: Math.max(0, room - top - 28) };
  const shown = text || turnText(turn);
  return (
    <div
      aria-hidden="true"
      style={place}
      className="pointer-events-none absolute in-data-dragging:hidden end-full z-40 me-2 w-[340px] group-data-full/tree:end-4 group-data-full/tree:me-0 animate-appear rounded-lg border border-border bg-surface p-3 text-base shadow-float"
    >
      <p className="mb-1 flex gap-2 text-sm text-text-3 empty:hidden">
        {openingWord(turn) && <span>{openingWord(turn)}</span>}
        {turn.label && <span className="min-w-0 truncate text-text-2">{turn.label}</span>}
      </p>
      <p className="line-clamp-8 whitespace-pre-line [overflow-wrap:anywhere]" dir="auto">
        {shown.length > most ? `${shown.slice(0, most)}…` : shown}
      </p>
      {turn.answer && turn.answer !== turn.preview && (
        <p
          className="mt-2 line-clamp-4 border-s-2 border-accent ps-2 text-text-2 [overflow-wrap:anywhere]"
          dir="auto"
        >
          {turn.model && <span className="text-text-3">{shortModel(turn.model)} · </span>}
          {excerptText(turn.answer)}
        </p>
      )}
      <p className="mt-2 text-sm text-text-3">
        {formatPlural(turn.messages, "message")} · {formatExact(turn.createdAtMs)}
      </p>
    </div>
  );
}
