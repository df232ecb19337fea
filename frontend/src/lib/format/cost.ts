// Costs in words: what was billed, and apart from it the list price of the rest.

import { t } from "@/lib/i18n/i18n";
import { formatCost, formatEstimate } from "./format";

interface Billed {
  costNanoUsd?: number | undefined;
  /** Calls whose cost is unknown. */
  unpriced: number;
}

interface Estimated {
  estimatedCostNanoUsd?: number | undefined;
  /** Calls without a cost or a list price. */
  unestimated: number;
}

/** "$1.20", "≥ $1.20" if a part of it is unknown, "unknown". */
export function costWords(of: Billed): string {
  if (of.costNanoUsd === undefined || of.costNanoUsd === null)
    return of.unpriced > 0 ? t("unknown") : "–";
  return of.unpriced > 0 ? `≥ ${formatCost(of.costNanoUsd)}` : formatCost(of.costNanoUsd);
}

/** "≈ $4.12", "≈ $4.12+" if a part has no known price; empty if none has. */
export function estimateWords(of: Estimated): string {
  return formatEstimate(of.estimatedCostNanoUsd, of.unestimated > 0);
}
