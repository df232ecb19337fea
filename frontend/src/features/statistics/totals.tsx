import type { Statistics } from "@/lib/api/api";
import { costWords, estimateWords } from "@/lib/format/cost";
import { formatAmount, formatCount, formatPlural } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import { tokenWords } from "./measures";

/** The totals of the view. */
export function Totals({ statistics: { total, toolCalls } }: { statistics: Statistics }) {
  const { inputTokens, outputTokens, cacheReadTokens } = total;
  const cached = inputTokens > 0 ? Math.round((100 * cacheReadTokens) / inputTokens) : 0;
  const known = total.steps - total.unpriced;
  return (
    <dl className="grid grid-cols-4 gap-x-6 gap-y-4 border-y border-border py-4 tight:grid-cols-2">
      <Sum
        name={t("Cost")}
        value={costWords(total)}
        detail={
          total.unpriced > 0
            ? plural(
                total.steps,
                "known for {{known}} of {{count}} model call",
                "known for {{known}} of {{count}} model calls",
                { known },
              )
            : t("of every model call")
        }
        note={
          estimateWords(total)
            ? t("{{estimate}} at list price for the others, not billed", {
                estimate: estimateWords(total),
              })
            : undefined
        }
      />
      <Sum
        name={t("Tokens")}
        value={tokenWords(total)}
        detail={inputTokens + outputTokens > 0 && inOutWords(inputTokens, outputTokens, cached)}
        note={
          total.unmetered > 0
            ? plural(
                total.unmetered,
                "unknown for {{count}} model call",
                "unknown for {{count}} model calls",
              )
            : undefined
        }
      />
      <Sum
        name={t("Sessions")}
        value={formatCount(total.sessions)}
        detail={formatPlural(total.messages, "message")}
      />
      <Sum
        name={t("Model calls")}
        value={formatCount(total.steps)}
        detail={formatPlural(toolCalls, "tool call")}
      />
    </dl>
  );
}

function Sum(props: { name: string; value: string; detail: string | false; note?: string }) {
  const { name, value, detail, note } = props;
  return (
    <div className="min-w-0">
      <dt className="text-sm text-text-3">{name}</dt>
      <dd>
        <span className="selectable block truncate text-2xl font-semibold">{value}</span>
        {detail && <span className="block text-sm text-text-2">{detail}</span>}
        {note && <span className="block text-sm text-text-3">{note}</span>}
      </dd>
    </div>
  );
}

/** "1.2M in (80 % cached), 12.4K out" */
function inOutWords(inputTokens: number, outputTokens: number, cachedPercent: number): string {
  const amounts = { input: formatAmount(inputTokens), output: formatAmount(outputTokens) };
  return cachedPercent > 0
    ? t("{{input}} in ({{percent}} % cached), {{output}} out", {
        ...amounts,
        percent: cachedPercent,
      })
    : t("{{input}} in, {{output}} out", amounts);
}
