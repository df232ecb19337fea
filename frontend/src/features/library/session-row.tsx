import clsx from "clsx";
import { CircleX, FileX2, Hand, Pin } from "lucide-react";
import { memo } from "react";
import { StatusDot } from "@/components/feedback/status-dot";
import { SourceMark } from "@/components/session/source-mark";
import type { Session } from "@/lib/api/api";
import {
  formatAge,
  formatAmount,
  formatCost,
  formatEstimate,
  formatExact,
  formatPlural,
} from "@/lib/format/format";
import { shortModel } from "@/lib/format/model";
import { statusWord } from "@/lib/format/sources";
import { plural, t } from "@/lib/i18n/i18n";
import { useStanding } from "@/lib/run/runs";
import { SecretMark } from "./secret-mark";
import { TagChip } from "./tag-chip";

interface SessionRowProps {
  session: Session;
  selected: boolean;
  /** It is the one on screen. */
  open: boolean;
  /** Rounded to the minute, so that ages move on without drawing every row each second. */
  nowMs: number;
  /** Shows a third line, with the beginning of the last answer. */
  roomy: boolean;
  tagColors: ReadonlyMap<string, string>;
}

/** A session in the library: two lines, or three where there is room. */
export const SessionRow = memo(function SessionRow({
  session,
  selected,
  open,
  nowMs,
  roomy,
  tagColors,
}: SessionRowProps) {
  const cost = formatCost(session.costNanoUsd);
  const estimate = formatEstimate(session.estimatedCostNanoUsd, session.unpricedCalls > 0);
  return (
    <div
      className={clsx(
        "grid h-full grid-cols-[18px_1fr_auto] content-center gap-x-2 border-s-[3px] pe-3 ps-[11px]",
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
        {session.title || t("Untitled")}
        {session.name && <span className="ps-2 text-sm text-text-3">{session.name}</span>}
      </span>
      <span
        className="flex items-center gap-1 text-sm text-text-3"
        title={formatExact(session.updatedAtMs)}
      >
        {session.sourceGoneAtMs && (
          <FileX2
            size={12}
            role="img"
            aria-label={t("its file was deleted")}
            className="text-text-3"
          />
        )}
        <SecretMark id={session.id} />
        {session.pinnedAtMs > 0 && (
          <Pin size={12} role="img" aria-label={t("pinned")} className="text-text-3" />
        )}
        {formatAge(session.updatedAtMs, nowMs)}
      </span>
      {/* What does not fit goes to a second line that is not seen: whole words or nothing, but for the last one, whose beginning says most. */}
      <span className="col-start-2 col-end-4 flex min-w-0 gap-x-2.5 text-sm text-text-3">
        <span className="flex h-4 min-w-0 flex-1 flex-wrap gap-x-2.5 overflow-hidden">
          <Standing session={session} />
          {session.project && (
            <span className="max-w-36 truncate" title={session.workspacePath}>
              {session.project}
            </span>
          )}
          <Changed session={session} />
          {session.tags?.map((tag) => (
            <TagChip key={tag} tag={tag} color={tagColors.get(tag)} />
          ))}
          {session.branchCount > 1 && (
            <span>{formatPlural(session.branchCount, "branch", "branches")}</span>
          )}
          {!session.touchedCount && <span>{formatPlural(session.messageCount, "msg")}</span>}
          {session.model && (
            <span className="max-w-max min-w-0 flex-[1_1_5rem] truncate" title={session.model}>
              {shortModel(session.model)}
            </span>
          )}
        </span>
        {cost && <span>{cost}</span>}
        {estimate && <span title={t("At list price, not billed")}>{estimate}</span>}
      </span>
      {roomy && (
        <span className="col-start-2 col-end-4 h-4 truncate text-sm text-text-3" dir="auto">
          {session.lastAnswer ?? ""}
        </span>
      )}
    </div>
  );
});

/** What the session changed, and how many of its calls failed. */
function Changed({ session }: { session: Session }) {
  const { touchedCount = 0, linesAdded = 0, linesRemoved = 0, failedCount = 0 } = session;
  return (
    <>
      {touchedCount > 0 && (
        <span className="flex gap-x-1.5">
          {linesAdded > 0 && (
            <span dir="ltr" className="text-accent">
              +{formatAmount(linesAdded)}
            </span>
          )}
          {linesRemoved > 0 && (
            <span dir="ltr" className="text-error">
              −{formatAmount(linesRemoved)}
            </span>
          )}
          <span>{plural(touchedCount, "in {{count}} file", "in {{count}} files")}</span>
        </span>
      )}
      {failedCount > 0 && (
        <span
          className="text-error"
          title={plural(
            failedCount,
            "{{count}} tool call ended with an error",
            "{{count}} tool calls ended with an error",
          )}
        >
          {t("{{number}} failed", { number: failedCount })}
        </span>
      )}
    </>
  );
}

/** The state of the session, as a mark and a word; nothing if there is nothing to do about it. */
function Standing({ session: { id, status } }: { session: Session }) {
  const standing = useStanding(id);
  if (standing === "waiting")
    return (
      <span className="flex items-center gap-1 font-semibold text-warn">
        <Hand size={12} aria-hidden="true" />
        {t("waits for you")}
      </span>
    );
  const shown = standing ?? status;
  if (quiet.includes(shown)) return null;
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

const quiet = ["idle", "success"];
const tones: Record<string, string> = { running: "text-accent", failed: "text-error" };
