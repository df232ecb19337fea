import type { Home } from "@/lib/api/api";
import { costWords, estimateWords } from "@/lib/format/cost";
import { dateOf, dayOf } from "@/lib/format/days";
import { formatAmount, formatCount, formatDate } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";

/** What was spent this week: what was billed, and apart from it the list price of what was not. */
export function Week({ home: { week, weekFromMs } }: { home: Home }) {
  const since = formatDate(dateOf(dayOf(new Date(weekFromMs))));
  if (week.steps === 0)
    return <p className="px-2 text-text-2">{t("No model calls since {{day}}.", { day: since })}</p>;
  const listed = estimateWords(week);
  const tokens = week.inputTokens + week.outputTokens;
  return (
    <dl
      className="grid grid-cols-2 gap-x-4 gap-y-2 px-2"
      title={t("Since {{day}}", { day: since })}
    >
      <Figure name={t("Billed")} value={costWords(week)} />
      <Figure name={t("At list price, not billed")} value={listed || "–"} />
      <Figure
        name={t("Tokens")}
        value={tokens === 0 && week.unmetered > 0 ? t("unknown") : formatAmount(tokens)}
      />
      <Figure name={t("Sessions")} value={formatCount(week.sessions)} />
    </dl>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div className="min-w-0">
      <dt className="truncate text-sm text-text-3">{name}</dt>
      <dd className="selectable truncate text-lg font-semibold tabular-nums">{value}</dd>
    </div>
  );
}
