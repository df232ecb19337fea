import type { StatisticsGroup } from "@/lib/api/api";
import { costWords } from "@/lib/format/cost";
import { dateOf } from "@/lib/format/days";
import { formatCount, formatDate } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";

/** The days as a table, the newest first: the same data as the bars and the calendar, as text. */
export function DayTable({ days }: { days: readonly StatisticsGroup[] }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is a region because it scrolls
    <div
      role="region"
      aria-label={t("Days as a table")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard
      tabIndex={0}
      className="max-h-[264px] overflow-y-auto"
    >
      <table className="w-full border-collapse">
        <thead className="sticky top-0 bg-bg text-sm text-text-3">
          <tr className="border-b border-border">
            <th scope="col" className="py-1 text-start font-normal">
              {t("Day")}
            </th>
            {[
              t("Sessions"),
              t("Messages"),
              t("Model calls"),
              t("Input"),
              t("Output"),
              t("Cost"),
            ].map((column) => (
              <th key={column} scope="col" className="py-1 ps-3 text-end font-normal">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.key} className="h-7 border-b border-border text-end text-text-2">
              <th scope="row" className="text-start font-normal whitespace-nowrap text-text">
                {formatDate(dateOf(day.key))}
              </th>
              <td className="ps-3">{formatCount(day.sessions)}</td>
              <td className="ps-3">{formatCount(day.messages)}</td>
              <td className="ps-3">{formatCount(day.steps)}</td>
              <td className="ps-3">{formatCount(day.inputTokens)}</td>
              <td className="ps-3">{formatCount(day.outputTokens)}</td>
              <td className="ps-3">{costWords(day)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
