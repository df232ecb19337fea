import { useMemo, useState } from "react";
import { Button } from "@/components/form/button";
import { Tabs } from "@/components/form/tabs";
import type { Statistics } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { DayChart } from "./day-chart";
import { DayTable } from "./day-table";
import { type Measure, measures, noBars } from "./measures";
import { colorOf, type Series, seriesOf } from "./series";
import { splitName } from "./split-name";
import { type Split, type StatisticsView, shownRange } from "./use-statistics";

interface DaysProps {
  statistics: Statistics;
  view: StatisticsView;
  measure: Measure;
  today: string;
  onChange: (part: Partial<StatisticsView>) => void;
}

const splits = (): { name: Split; title: string }[] => [
  { name: "model", title: t("Model") },
  { name: "source", title: t("Source") },
  { name: "workspace", title: t("Workspace") },
];

/** The activity by day, week or month, as bars or as a table. */
export function Days({ statistics, view, measure, today, onChange }: DaysProps) {
  const range = shownRange(view, today);
  const [asTable, setAsTable] = useState(false);
  // One session may have several models, so it cannot be divided among them.
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
  const name = (value: string) => (isWhole ? t("Sessions") : splitName(value, view.split));
  return (
    <section aria-label={t("By day")} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h3 className="font-semibold">
          {series.step === "day"
            ? t("By day")
            : series.step === "week"
              ? t("By week")
              : t("By month")}
        </h3>
        <Tabs
          label={t("What the bars show")}
          value={measure}
          onChange={(measure) => onChange({ measure })}
          tabs={measures()}
        />
        <span className="flex-1" />
        <span className="text-sm text-text-3">{t("split by")}</span>
        <Tabs
          label={t("What days are split by")}
          value={view.split}
          onChange={(split) => onChange({ split })}
          tabs={splits()}
        />
        <Button variant="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? t("Show as bars") : t("Show as table")}
        </Button>
      </div>
      {asTable ? (
        <DayTable days={statistics.days} />
      ) : statistics.days.length === 0 ? (
        <p className="flex h-[238px] items-center justify-center text-text-3">
          {t("No activity in these days.")}
        </p>
      ) : measure !== "sessions" && series.bars.every(({ total }) => total === 0) ? (
        <p className="flex h-[238px] items-center justify-center text-text-3">{noBars(measure)}</p>
      ) : (
        <>
          <DayChart
            series={series}
            measure={measure}
            name={name}
            onChoose={(day) => onChange({ day: day === view.day ? "" : day })}
          />
          <Legend series={series} measure={measure} name={name} />
        </>
      )}
    </section>
  );
}

interface LegendProps {
  series: Series;
  measure: Measure;
  name: (value: string) => string;
}

function Legend({ series, measure, name }: LegendProps) {
  return (
    <ul
      aria-label={t("Colors")}
      className="flex flex-wrap gap-x-4 gap-y-1 ps-14 text-sm text-text-2"
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
          {t("some costs unknown")}
        </li>
      )}
      {measure === "sessions" && series.step !== "day" && (
        <li>{t("each day's sessions, added up")}</li>
      )}
    </ul>
  );
}
