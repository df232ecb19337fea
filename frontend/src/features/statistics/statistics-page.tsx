import clsx from "clsx";
import { BarChart3, Download, List, X } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { ErrorState } from "@/components/error-state";
import { IconButton } from "@/components/icon-button";
import { Menu } from "@/components/menu";
import { Skeleton } from "@/components/skeleton";
import { Tabs } from "@/components/tabs";
import { toastDone, toastError } from "@/components/toast";
import { api, type Statistics, type StatisticsGroup, type StatisticsQuery } from "@/lib/api";
import { runCommand } from "@/lib/commands";
import type { Range } from "@/lib/days";
import { baseName, formatAmount, formatCount, formatPlural } from "@/lib/format";
import { sourceName } from "@/lib/sources";
import { CalendarMap } from "./calendar-map";
import { DayChart } from "./day-chart";
import { DayTable } from "./day-table";
import { amountOf, costWords, counted, type Measure, measures } from "./measures";
import { Ranking, type RankingLine } from "./ranking";
import { colorOf, others, seriesOf } from "./series";
import { Totals } from "./totals";
import {
  type Split,
  type StatisticsView,
  shownRange,
  useStatistics,
  useStatisticsView,
  wholeView,
} from "./use-statistics";
import { ViewBar } from "./view-bar";

interface StatisticsPageProps {
  onClose: () => void;
  /** Lists the sessions that the statistics of a view are about. */
  onShow: (view: StatisticsView, range: Range) => void;
}

/** What was done in the library, added up: cost, tokens and sessions by day, model, workspace and source, and the tools. */
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
      aria-label="Statistics"
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
            <h2 className="flex-1 text-2xl font-semibold">Statistics</h2>
            <Button onClick={() => onShow(view, shownRange(view, today))}>
              <List size={14} aria-hidden="true" />
              Show sessions
            </Button>
            <ExportMenu query={query} />
            <IconButton icon={X} label="Close the statistics" keys="Escape" onClick={onClose} />
          </div>
          <ViewBar view={view} onChange={change} />
        </header>
        {error && !data ? (
          <ErrorState
            title="The statistics could not be read"
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

const splits: readonly { name: Split; title: string }[] = [
  { name: "model", title: "Model" },
  { name: "source", title: "Source" },
  { name: "workspace", title: "Workspace" },
];

/** Cost where it is known of most that was done, else tokens. */
function usualMeasure({ total }: Statistics): Measure {
  return total.unpriced * 2 > total.steps ? "tokens" : "cost";
}

/** A value of the split in words. */
function splitName(value: string, split: Split): string {
  if (value === others) return "Others";
  if (split === "source") return sourceName(value);
  if (value === "") return split === "model" ? "Model not told" : "No workspace";
  return split === "workspace" ? baseName(value) : value;
}

function Sections({ statistics, view, today, onChange }: SectionsProps) {
  const measure = view.measure || usualMeasure(statistics);
  const range = shownRange(view, today);
  const [asTable, setAsTable] = useState(false);
  const [year, setYear] = useState("");
  // One session may have had several models, so it cannot be divided among them.
  const isWhole = measure === "sessions" && view.split === "model";
  const series = useMemo(
    () =>
      seriesOf({
        range,
        today,
        measure,
        days: statistics.days,
        cells: isWhole ? [] : statistics.cells,
      }),
    [range, today, measure, statistics, isWhole],
  );
  const years = [...new Set(statistics.calendar.map(({ day }) => day.slice(0, 4)))].reverse();
  const last = year && year !== today.slice(0, 4) ? `${year}-12-31` : today;
  const choose = (part: Partial<StatisticsView>) => onChange(part);
  const name = (value: string) => (isWhole ? "Sessions" : splitName(value, view.split));
  const rows = (
    groups: readonly StatisticsGroup[],
    name: (key: string) => string,
    title?: boolean,
  ) => linesOf(groups, measure, name, title);
  const columns = ["Sessions", "Tokens", "Cost"];
  return (
    <>
      {statistics.pending > 0 && (
        <p role="status" className="text-text-2">
          {formatPlural(statistics.pending, "session")} of an older library{" "}
          {statistics.pending === 1 ? "is" : "are"} still being counted.
        </p>
      )}
      <Totals statistics={statistics} />
      <section aria-label="By day" className="flex flex-col gap-2">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <h3 className="font-semibold">
            {series.step === "day" ? "By day" : series.step === "week" ? "By week" : "By month"}
          </h3>
          <Tabs
            label="What the bars show"
            value={measure}
            onChange={(measure) => choose({ measure })}
            tabs={measures}
          />
          <span className="flex-1" />
          <span className="text-sm text-text-3">split by</span>
          <Tabs
            label="What days are split by"
            value={view.split}
            onChange={(split) => choose({ split })}
            tabs={splits}
          />
          <Button variant="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {asTable ? "Show as bars" : "Show as table"}
          </Button>
        </div>
        {asTable ? (
          <DayTable days={statistics.days} />
        ) : statistics.days.length === 0 ? (
          <p className="flex h-[238px] items-center justify-center text-text-3">
            Nothing was done in these days.
          </p>
        ) : (
          <>
            <DayChart
              series={series}
              measure={measure}
              name={name}
              onChoose={(day) => choose({ day: day === view.day ? "" : day })}
            />
            <ul
              aria-label="Colours"
              className="flex flex-wrap gap-x-4 gap-y-1 pl-14 text-sm text-text-2"
            >
              {series.values.map((value, index) => (
                <li key={value} className="flex min-w-0 items-center gap-1.5">
                  <span
                    aria-hidden="true"
                    className="size-2.5 shrink-0 rounded-sm"
                    style={{ background: colorOf(value, index) }}
                  />
                  <span className="truncate">{name(value)}</span>
                </li>
              ))}
              {measure === "cost" && series.bars.some(({ isOpen }) => isOpen) && (
                <li className="flex items-center gap-1.5">
                  <span aria-hidden="true" className="h-0.5 w-2.5 bg-warn" />
                  some cost not known
                </li>
              )}
              {measure === "sessions" && series.step !== "day" && (
                <li>each day's sessions, added up</li>
              )}
            </ul>
          </>
        )}
      </section>
      <section aria-label="Calendar" className="flex flex-col gap-2">
        <div className="flex items-center gap-4">
          <h3 className="flex-1 font-semibold">Calendar</h3>
          <Menu
            align="end"
            label="The year of the calendar"
            trigger={<Button variant="quiet">{year === "" ? "The last 12 months" : year}</Button>}
            entries={[
              { title: "The last 12 months", checked: year === "", onSelect: () => setYear("") },
              ...years.map((one) => ({
                title: one,
                checked: year === one,
                onSelect: () => setYear(one),
              })),
            ]}
          />
        </div>
        <CalendarMap
          days={statistics.calendar}
          measure={measure}
          last={last}
          chosen={view.day}
          onChoose={(day) => choose({ day })}
        />
      </section>
      <div className="grid grid-cols-2 gap-x-10 gap-y-6 tight:grid-cols-1">
        <Ranking
          title="Models"
          columns={columns}
          lines={rows(statistics.models, (key) => splitName(key, "model"))}
          chosen={view.model || undefined}
          onChoose={(model) => choose({ model: model === view.model ? "" : model })}
          empty="No model was called."
        />
        <Ranking
          title="Workspaces"
          columns={columns}
          lines={rows(statistics.workspaces, (key) => splitName(key, "workspace"), true)}
          chosen={view.workspace || undefined}
          onChoose={(workspace) =>
            choose({ workspace: workspace === view.workspace ? "" : workspace })
          }
          empty="Nothing was done in these days."
        />
        <Ranking
          title="Sources"
          columns={columns}
          lines={rows(statistics.sources, sourceName)}
          chosen={view.source || undefined}
          onChoose={(source) => choose({ source: source === view.source ? "" : source })}
          empty="Nothing was done in these days."
        />
        <Ranking
          title="Tools"
          columns={["Calls", "Sessions"]}
          lines={statistics.tools.map(({ name, calls, sessions }) => ({
            key: name,
            name,
            share: calls / (statistics.tools[0]?.calls || 1),
            cells: [formatCount(calls), formatCount(sessions)],
          }))}
          empty="No tool was called."
        />
      </div>
    </>
  );
}

/** Tokens that nobody has told are not 0. */
function tokenWords({ inputTokens, outputTokens, unmetered }: StatisticsGroup): string {
  const tokens = inputTokens + outputTokens;
  return tokens === 0 && unmetered > 0 ? "not told" : formatAmount(tokens);
}

function linesOf(
  groups: readonly StatisticsGroup[],
  measure: Measure,
  name: (key: string) => string,
  title?: boolean,
): RankingLine[] {
  const values = groups.map((group) => amountOf(counted(group), measure));
  const largest = Math.max(...values, 0);
  return groups
    .map((group, index) => ({
      key: group.key,
      name: name(group.key),
      title: title && group.key ? group.key : undefined,
      value: values[index] ?? 0,
      share: largest > 0 ? (values[index] ?? 0) / largest : 0,
      cells: [formatCount(group.sessions), tokenWords(group), costWords(group)],
    }))
    .sort((a, b) => b.value - a.value);
}

const exports = [
  ["day", "Days"],
  ["model", "Models"],
  ["workspace", "Workspaces"],
  ["source", "Sources"],
  ["tool", "Tools"],
] as const;

function ExportMenu({ query }: { query: StatisticsQuery }) {
  const start = async (by: string) => {
    try {
      const path = await api.exportStatistics(query, by);
      if (path) toastDone(`Exported to ${baseName(path)}`);
    } catch (error) {
      toastError("The statistics could not be exported", error);
    }
  };
  return (
    <Menu
      align="end"
      label="Export as CSV"
      trigger={
        <Button>
          <Download size={14} aria-hidden="true" />
          Export CSV
        </Button>
      }
      entries={exports.map(([by, title]) => ({ title, onSelect: () => void start(by) }))}
    />
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
        title={isNarrowed ? "Nothing fits" : "Nothing to add up yet"}
        text={
          isNarrowed
            ? "No session of this source, workspace and model has a message."
            : "Cost, tokens, sessions and tools appear here as soon as the library holds a session."
        }
        action={
          isNarrowed ? (
            <Button onClick={() => onChange({ ...wholeView, preset: view.preset })}>
              Clear all filters
            </Button>
          ) : (
            <Button variant="primary" onClick={() => runCommand("import")}>
              Import sessions
            </Button>
          )
        }
      />
    </div>
  );
}

function Waiting() {
  return (
    <div role="status" aria-label="Adding up" className="flex flex-col gap-6">
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
