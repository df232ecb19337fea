// The measures of a day, a model, a workspace: cost, tokens, sessions.

import type { StatisticsCell, StatisticsGroup } from "@/lib/api/api";
import { costWords, estimateWords } from "@/lib/format/cost";
import { formatAmount, formatCost, formatCount } from "@/lib/format/format";

export type Measure = "cost" | "tokens" | "sessions";

export const measures: readonly { name: Measure; title: string }[] = [
  { name: "cost", title: "Cost" },
  { name: "tokens", title: "Tokens" },
  { name: "sessions", title: "Sessions" },
];

type Counted = Pick<
  StatisticsCell,
  "sessions" | "steps" | "unpriced" | "costNanoUsd" | "unestimated" | "estimatedCostNanoUsd"
> & {
  tokens: number;
};

/** A group's tokens under one name, as cells have them. */
export function counted(group: Omit<StatisticsGroup, "key">): Counted {
  return { ...group, tokens: group.inputTokens + group.outputTokens };
}

/** The height of a bar: the billed cost and, where that is unknown, the list price. */
export function amountOf(of: Counted, measure: Measure): number {
  if (measure === "cost") return ((of.costNanoUsd ?? 0) + (of.estimatedCostNanoUsd ?? 0)) / 1e9;
  return measure === "tokens" ? of.tokens : of.sessions;
}

/** The billed cost if it is known, and apart from it the list price of what has no known cost: "$1.20, ≈ $4.12". */
export function bothWords(of: Counted): string {
  const listed = estimateWords(of);
  if (listed === "") return costWords(of);
  const isBilled = of.costNanoUsd !== undefined && of.costNanoUsd !== null;
  return isBilled ? `${formatCost(of.costNanoUsd)}, ${listed}` : listed;
}

/** Unknown token counts are not 0. */
export function tokenWords(
  of: Pick<StatisticsGroup, "inputTokens" | "outputTokens" | "unmetered">,
): string {
  const tokens = of.inputTokens + of.outputTokens;
  return tokens === 0 && of.unmetered > 0 ? "unknown" : formatAmount(tokens);
}

/** Why there are no bars, though there was activity. */
export function noBars(measure: Measure): string {
  return measure === "cost"
    ? "No costs for these days: the prices of the models are unknown."
    : "No token counts for these days: the tools that wrote these sessions do not record them.";
}

/** A value on an axis. */
export function axisWords(value: number, measure: Measure): string {
  if (measure === "cost") return formatCost(value * 1e9);
  return measure === "tokens" ? formatAmount(value) : formatCount(value);
}

/** One measure in words: "3 sessions", "1.2M tokens", "≥ $1.20". */
function measureWords(of: Counted, measure: Measure): string {
  if (measure === "cost") return bothWords(of);
  if (measure === "tokens") return `${formatAmount(of.tokens)} tokens`;
  return `${formatCount(of.sessions)} ${of.sessions === 1 ? "session" : "sessions"}`;
}

/** All measures in words: "3 sessions · 1.2M tokens · ≥ $1.20". */
export function allWords(of: Counted): string {
  return [
    measureWords(of, "sessions"),
    measureWords(of, "tokens"),
    of.steps > 0 && `cost ${bothWords(of)}`.replace(/^cost (?=[≥≈$<])/, ""),
  ]
    .filter(Boolean)
    .join(" · ");
}
