import { useState } from "react";
import { Button } from "@/components/form/button";
import { Menu } from "@/components/menu/menu";
import type { Statistics } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { CalendarMap } from "./calendar-map";
import type { Measure } from "./measures";
import type { StatisticsView } from "./use-statistics";

interface CalendarProps {
  statistics: Statistics;
  view: StatisticsView;
  measure: Measure;
  today: string;
  onChange: (part: Partial<StatisticsView>) => void;
}

/** A year of days, darker for more activity. */
export function Calendar({ statistics, view, measure, today, onChange }: CalendarProps) {
  const [year, setYear] = useState("");
  const years = [...new Set(statistics.calendar.map(({ day }) => day.slice(0, 4)))].reverse();
  const last = year && year !== today.slice(0, 4) ? `${year}-12-31` : today;
  return (
    <section aria-label={t("Calendar")} className="flex flex-col gap-2">
      <div className="flex items-center gap-4">
        <h3 className="flex-1 font-semibold">{t("Calendar")}</h3>
        <Menu
          align="end"
          label={t("The year of the calendar")}
          trigger={<Button variant="quiet">{year === "" ? t("The last 12 months") : year}</Button>}
          entries={[
            { title: t("The last 12 months"), checked: year === "", onSelect: () => setYear("") },
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
        onChoose={(day) => onChange({ day })}
      />
    </section>
  );
}
