import { Tooltip } from "@/components/text/tooltip";
import { formatCost, formatEstimate, formatPlural, formatTokens } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import type { Totals } from "../path/plan";

/** What the steps under a header used: what came out, and the cost; the rest in the tooltip. */
export function Spent({ totals }: { totals: Totals | null }) {
  if (!totals || totals.inputTokens + totals.outputTokens === 0) return null;
  const { steps, inputTokens, outputTokens, costNanoUsd, isEstimated } = totals;
  const about = isEstimated ? "≈ " : "";
  const cost = formatCost(costNanoUsd) && about + formatCost(costNanoUsd);
  const listed = formatEstimate(totals.estimatedCostNanoUsd, outputTokens === 0);
  const exact = [
    plural(inputTokens, "{{count}} token in", "{{count}} tokens in"),
    // Some tools store a placeholder in place of it.
    outputTokens > 0 ? t("{{count}} out", { count: outputTokens }) : t("output unknown"),
    ...(steps > 1 ? [formatPlural(steps, "step")] : []),
    [cost, listed && t("{{cost}} at list price, not billed", { cost: listed })]
      .filter(Boolean)
      .join(" + ") || t("cost unknown"),
    ...(isEstimated ? [t("estimated in part: an answer was interrupted")] : []),
  ].join(" · ");
  return (
    <Tooltip text={exact}>
      <span className="flex shrink-0 gap-2.5">
        {outputTokens > 0 && <span>{about + formatTokens(outputTokens)}</span>}
        {cost && <span>{cost}</span>}
        {listed && <span>{listed}</span>}
      </span>
    </Tooltip>
  );
}
