import type { Statistics } from "@/lib/api/api";
import { costWords, estimateWords } from "@/lib/format/cost";
import { formatAmount, formatCount, formatPlural } from "@/lib/format/format";
import { tokenWords } from "./measures";

/** The totals of the view. */
export function Totals({ statistics: { total, toolCalls } }: { statistics: Statistics }) {
  const { inputTokens, outputTokens, cacheReadTokens } = total;
  const cached = inputTokens > 0 ? Math.round((100 * cacheReadTokens) / inputTokens) : 0;
  const known = total.steps - total.unpriced;
  return (
    <dl className="grid grid-cols-4 gap-x-6 gap-y-4 border-y border-border py-4 tight:grid-cols-2">
      <Sum
        name="Cost"
        value={costWords(total)}
        detail={
          total.unpriced > 0
            ? `known for ${formatCount(known)} of ${formatPlural(total.steps, "model call")}`
            : "of every model call"
        }
        note={
          estimateWords(total)
            ? `${estimateWords(total)} at list price for the others, not billed`
            : undefined
        }
      />
      <Sum
        name="Tokens"
        value={tokenWords(total)}
        detail={
          inputTokens + outputTokens > 0 &&
          `${formatAmount(inputTokens)} in${cached > 0 ? ` (${cached} % cached)` : ""}, ${formatAmount(outputTokens)} out`
        }
        note={
          total.unmetered > 0
            ? `unknown for ${formatPlural(total.unmetered, "model call")}`
            : undefined
        }
      />
      <Sum
        name="Sessions"
        value={formatCount(total.sessions)}
        detail={formatPlural(total.messages, "message")}
      />
      <Sum
        name="Model calls"
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
