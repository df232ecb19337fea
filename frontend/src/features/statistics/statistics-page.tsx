import clsx from "clsx";
import { BarChart3, List, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { EmptyState } from "@/components/feedback/empty-state";
import { ErrorState } from "@/components/feedback/error-state";
import { Skeleton } from "@/components/feedback/skeleton";
import { Button } from "@/components/form/button";
import { IconButton } from "@/components/form/icon-button";
import type { Statistics } from "@/lib/api/api";
import type { Range } from "@/lib/format/days";
import { plural, t } from "@/lib/i18n/i18n";
import { runCommand } from "@/lib/keys/commands";
import { Calendar } from "./calendar-section";
import { Days } from "./days-section";
import { ExportMenu } from "./export-menu";
import type { Measure } from "./measures";
import { Rankings } from "./rankings";
import { Totals } from "./totals";
import {
  type StatisticsView,
  shownRange,
  useStatistics,
  useStatisticsView,
  wholeView,
} from "./use-statistics";
import { ViewBar } from "./view-bar";

interface StatisticsPageProps {
  onClose: () => void;
  /** Lists the sessions in the statistics of a view. */
  onShow: (view: StatisticsView, range: Range) => void;
}

/** The activity in the library, added up: cost, tokens and sessions by day, model, agent, workspace and source, and the tools. */
export default function StatisticsPage({ onClose, onShow }: StatisticsPageProps) {
  const [view, change] = useStatisticsView();
  const { data, error, isPlaceholderData, refetch, query, today } = useStatistics(view);
  const page = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    page.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <section
      ref={page}
      data-pane="statistics"
      aria-label={t("Statistics")}
      tabIndex={-1}
      className="absolute inset-0 z-40 overflow-y-auto bg-bg outline-none"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div className="mx-auto flex min-h-full max-w-[1120px] flex-col gap-5 px-6 pt-4 pb-10 tiny:px-3">
        <header className="flex flex-col gap-3">
          <div className="flex items-center gap-2">
            <h2 className="flex-1 text-2xl font-semibold">{t("Statistics")}</h2>
            <Button onClick={() => onShow(view, shownRange(view, today))}>
              <List size={14} aria-hidden="true" />
              {t("Show sessions")}
            </Button>
            <ExportMenu query={query} />
            <IconButton
              icon={X}
              label={t("Close the statistics")}
              keys="Escape"
              onClick={onClose}
            />
          </div>
          <ViewBar view={view} onChange={change} />
        </header>
        {error && !data ? (
          <ErrorState
            title={t("Could not read the statistics")}
            error={error}
            onRetry={() => void refetch()}
          />
        ) : !data ? (
          <Waiting />
        ) : data.calendar.length === 0 && data.total.messages === 0 ? (
          <Nothing view={view} onChange={change} />
        ) : (
          <div
            aria-busy={isPlaceholderData}
            className={clsx(
              "flex flex-col gap-6",
              isPlaceholderData && "opacity-60 transition-opacity delay-150",
            )}
          >
            <Sections statistics={data} view={view} today={today} onChange={change} />
          </div>
        )}
      </div>
    </section>
  );
}

interface SectionsProps {
  statistics: Statistics;
  view: StatisticsView;
  today: string;
  onChange: (part: Partial<StatisticsView>) => void;
}

/** Cost if it is known for most of the activity, otherwise tokens. */
function usualMeasure({ total }: Statistics): Measure {
  return total.unpriced * 2 > total.steps ? "tokens" : "cost";
}

function Sections({ statistics, view, today, onChange }: SectionsProps) {
  const shown = {
    statistics,
    view,
    today,
    onChange,
    measure: view.measure || usualMeasure(statistics),
  };
  return (
    <>
      {statistics.pending > 0 && (
        <p role="status" className="text-text-2">
          {plural(
            statistics.pending,
            "{{count}} session of an older library is still being counted.",
            "{{count}} sessions of an older library are still being counted.",
          )}
        </p>
      )}
      <Totals statistics={statistics} />
      <Days {...shown} />
      <Calendar {...shown} />
      <Rankings {...shown} />
    </>
  );
}

function Nothing({
  view,
  onChange,
}: {
  view: StatisticsView;
  onChange: (part: Partial<StatisticsView>) => void;
}) {
  const isNarrowed =
    view.source !== "" || view.workspace !== "" || view.model !== "" || view.day !== "";
  return (
    <div className="flex-1">
      <EmptyState
        icon={BarChart3}
        title={isNarrowed ? t("No sessions match") : t("No statistics yet")}
        text={
          isNarrowed
            ? t(
                "No session of this source, workspace and model contains a message. Clear the filters to see all of them.",
              )
            : t(
                "Cost, tokens, sessions and tools appear here as soon as the library holds a session.",
              )
        }
        action={
          isNarrowed ? (
            <Button onClick={() => onChange({ ...wholeView, preset: view.preset })}>
              {t("Clear all filters")}
            </Button>
          ) : (
            <Button variant="primary" onClick={() => runCommand("import")}>
              {t("Import sessions")}
            </Button>
          )
        }
      />
    </div>
  );
}

function Waiting() {
  return (
    <div role="status" aria-label={t("Loading statistics")} className="flex flex-col gap-6">
      <Skeleton className="h-20 w-full" />
      <Skeleton className="h-[240px] w-full" />
      <Skeleton className="h-[150px] w-full" />
      <div className="grid grid-cols-2 gap-10">
        <Skeleton className="h-40 w-full" />
        <Skeleton className="h-40 w-full" />
      </div>
    </div>
  );
}
