// The measures of a day, a model, a workspace: cost, tokens, sessions.

import type { StatisticsCell, StatisticsGroup } from "@/lib/api/api";
import { costWords, estimateWords } from "@/lib/format/cost";
import { formatAmount, formatCost, formatCount, formatPlural } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";

export type Measure = "cost" | "tokens" | "sessions";

export const measures = (): { name: Measure; title: string }[] => [
  { name: "cost", title: t("Cost") },
  { name: "tokens", title: t("Tokens") },
  { name: "sessions", title: t("Sessions") },
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
  return tokens === 0 && of.unmetered > 0 ? t("unknown") : formatAmount(tokens);
}

/** Why there are no bars, though there was activity. */
export function noBars(measure: Measure): string {
  return measure === "cost"
    ? t("No costs for these days: the prices of the models are unknown.")
    : t("No token counts for these days: the tools that wrote these sessions do not record them.");
}

/** A value on an axis. */
export function axisWords(value: number, measure: Measure): string {
  if (measure === "cost") return formatCost(value * 1e9);
  return measure === "tokens" ? formatAmount(value) : formatCount(value);
}

/** One measure in words: "3 sessions", "1.2M tokens", "≥ $1.20". */
function measureWords(of: Counted, measure: Measure): string {
  if (measure === "cost") return bothWords(of);
  if (measure === "tokens") return t("{{amount}} tokens", { amount: formatAmount(of.tokens) });
  return formatPlural(of.sessions, "session");
}

/** All measures in words: "3 sessions · 1.2M tokens · ≥ $1.20". */
export function allWords(of: Counted): string {
  return [
    measureWords(of, "sessions"),
    measureWords(of, "tokens"),
    of.steps > 0 && costPart(bothWords(of)),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** A cost without an amount, such as "unknown", needs its name. */
function costPart(words: string): string {
  return /\d/.test(words) ? words : t("cost {{words}}", { words });
}
