import { Tooltip } from "@/components/text/tooltip";
import { formatCost, formatCount, formatPlural, formatTokens } from "@/lib/format/format";
import type { Totals } from "../path/plan";

/** What the steps under a header used: what came out, and the cost; the rest in the tooltip. */
export function Spent({ totals }: { totals: Totals | null }) {
  if (!totals || totals.inputTokens + totals.outputTokens === 0) return null;
  const { steps, inputTokens, outputTokens, costNanoUsd, isEstimated } = totals;
  const about = isEstimated ? "≈ " : "";
  const cost = formatCost(costNanoUsd) && about + formatCost(costNanoUsd);
  const exact = [
    `${formatCount(inputTokens)} tokens in`,
    `${formatCount(outputTokens)} out`,
    ...(steps > 1 ? [formatPlural(steps, "step")] : []),
    cost || "cost unknown",
    ...(isEstimated ? ["estimated in part: an answer was interrupted"] : []),
  ].join(" · ");
  return (
    <Tooltip text={exact}>
      <span className="flex shrink-0 gap-2.5">
        <span>{about + formatTokens(outputTokens)}</span>
        {cost && <span>{cost}</span>}
      </span>
    </Tooltip>
  );
}
