import { StatusDot } from "@/components/feedback/status-dot";
import { SourceMark } from "@/components/session/source-mark";
import type { Session } from "@/lib/api/api";
import {
  formatAge,
  formatCost,
  formatEstimate,
  formatExact,
  formatPlural,
} from "@/lib/format/format";
import { statusWord } from "@/lib/format/sources";
import { t } from "@/lib/i18n/i18n";

/** What a row shows at its right. */
export type RowDetail = "age" | "status" | "branches" | "cost";

interface HomeRowProps {
  session: Session;
  detail: RowDetail;
  /** Adds a line with the project and the last answer. */
  roomy?: boolean;
  nowMs: number;
  onOpen: (id: string) => void;
}

/** A session of a list of the home page, as a button that opens it. */
export function HomeRow({ session, detail, roomy = false, nowMs, onOpen }: HomeRowProps) {
  const title = session.title || t("Untitled");
  return (
    <button
      type="button"
      className="grid w-full grid-cols-[18px_minmax(0,1fr)_auto] items-center gap-x-2 rounded px-2 py-1 text-start hover:bg-sunken"
      onClick={() => onOpen(session.id)}
    >
      <SourceMark source={session.source} />
      <span className="truncate leading-5" dir="auto" title={title}>
        {title}
      </span>
      <span className="whitespace-nowrap text-sm text-text-3 tabular-nums">
        <Detail session={session} detail={detail} nowMs={nowMs} />
      </span>
      {roomy && (
        <span className="col-start-2 col-end-4 flex min-w-0 gap-2.5 text-sm text-text-3">
          {session.project && (
            <span className="max-w-40 shrink-0 truncate" title={session.workspacePath}>
              {session.project}
            </span>
          )}
          <span className="min-w-0 truncate" dir="auto">
            {session.lastAnswer || formatPlural(session.messageCount, "message")}
          </span>
        </span>
      )}
    </button>
  );
}

function Detail({ session, detail, nowMs }: Pick<HomeRowProps, "session" | "detail" | "nowMs">) {
  switch (detail) {
    case "age":
      return (
        <span title={formatExact(session.updatedAtMs)}>
          {formatAge(session.updatedAtMs, nowMs)}
        </span>
      );
    case "status":
      return (
        <span className="flex items-center gap-[5px]">
          <StatusDot status={session.status} />
          {statusWord(session.status)}
        </span>
      );
    case "branches":
      return formatPlural(session.branchCount, "branch", "branches");
    case "cost":
      return <CostOf session={session} />;
  }
}

/** The billed cost, and apart from it the list price of what was not billed. */
function CostOf({ session }: { session: Session }) {
  const cost = formatCost(session.costNanoUsd);
  const estimate = formatEstimate(session.estimatedCostNanoUsd, session.unpricedCalls > 0);
  return (
    <span className="flex gap-2">
      {cost && <span>{cost}</span>}
      {estimate && <span title={t("At list price, not billed")}>{estimate}</span>}
    </span>
  );
}
