import clsx from "clsx";
import { CircleX, FileX2, Hand, Pin } from "lucide-react";
import { memo } from "react";
import { StatusDot } from "@/components/feedback/status-dot";
import { SourceMark } from "@/components/session/source-mark";
import type { Session } from "@/lib/api/api";
import { formatAge, formatCost, formatExact, formatPlural } from "@/lib/format/format";
import { statusWord } from "@/lib/format/sources";
import { useStanding } from "@/lib/run/runs";

interface SessionRowProps {
  session: Session;
  selected: boolean;
  /** It is the one on screen. */
  open: boolean;
  /** Rounded to the minute, so that ages move on without drawing every row each second. */
  nowMs: number;
}

/** A session in the library: two lines of 52 px together. */
export const SessionRow = memo(function SessionRow({
  session,
  selected,
  open,
  nowMs,
}: SessionRowProps) {
  const cost = formatCost(session.costNanoUsd);
  return (
    <div
      className={clsx(
        "grid h-full grid-cols-[18px_1fr_auto] content-center gap-x-2 border-l-[3px] pr-3 pl-[11px]",
        selected ? "bg-accent-soft" : "group-hover:bg-sunken",
        open ? "border-accent" : "border-transparent",
      )}
    >
      <span className="flex items-center">
        <SourceMark source={session.source} />
      </span>
      <span
        className={clsx("truncate leading-5", open && "font-semibold")}
        dir="auto"
        title={session.title}
      >
        {session.title || "Untitled"}
        {session.name && <span className="pl-2 text-sm text-text-3">{session.name}</span>}
      </span>
      <span
        className="flex items-center gap-1 text-sm text-text-3"
        title={formatExact(session.updatedAtMs)}
      >
        {session.sourceGoneAtMs && (
          <FileX2 size={12} role="img" aria-label="its file was deleted" className="text-text-3" />
        )}
        {session.pinnedAtMs > 0 && (
          <Pin size={12} role="img" aria-label="pinned" className="text-text-3" />
        )}
        {formatAge(session.updatedAtMs, nowMs)}
      </span>
      {/* What does not fit goes to a second line that is not seen: whole words or nothing, but for a model's name, whose beginning says most. */}
      <span className="col-start-2 col-end-4 flex h-4 flex-wrap gap-x-2.5 overflow-hidden text-sm text-text-3">
        <Standing session={session} />
        <span>{formatPlural(session.messageCount, "msg")}</span>
        {session.branchCount > 1 && (
          <span>{formatPlural(session.branchCount, "branch", "branches")}</span>
        )}
        {cost && <span>{cost}</span>}
        {session.model && (
          <span className="max-w-max min-w-0 flex-[1_1_5rem] truncate" title={session.model}>
            {session.model}
          </span>
        )}
      </span>
    </div>
  );
});

/** The state of the session, as a mark and a word. */
function Standing({ session: { id, status } }: { session: Session }) {
  const standing = useStanding(id);
  if (standing === "waiting")
    return (
      <span className="flex items-center gap-1 font-semibold text-warn">
        <Hand size={12} aria-hidden="true" />
        waits for you
      </span>
    );
  const shown = standing ?? status;
  return (
    <span className={clsx("flex items-center gap-[5px]", tones[shown])}>
      {shown === "failed" ? (
        <CircleX size={12} aria-hidden="true" />
      ) : shown === "running" ? (
        <span className="run-dot" aria-hidden="true" />
      ) : (
        <StatusDot status={shown} />
      )}
      {statusWord(shown)}
    </span>
  );
}

const tones: Record<string, string> = { running: "text-accent", failed: "text-error" };
