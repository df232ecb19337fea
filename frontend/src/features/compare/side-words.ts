import type { Effect, FileEffects, Side } from "@/lib/api/api";
import {
  formatCost,
  formatCount,
  formatDuration,
  formatPlural,
  formatTokens,
} from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import { parentOf, partAt, type Tree } from "@/lib/tree/skeleton";

/** The cost and size of a branch, in the same order as on the other side. */
export function sideFacts(side: Side): string[] {
  const cost = formatCost(side.costNanoUsd);
  const tokens = side.inputTokens + side.outputTokens;
  return [
    formatPlural(side.turns, "turn"),
    formatPlural(side.messages, "message"),
    tokens > 0 ? formatTokens(tokens) : "",
    cost && side.unpriced > 0 ? t("{{cost}} and more", { cost }) : cost || t("cost unknown"),
    formatDuration(side.endedAtMs - side.beganAtMs),
  ].filter(Boolean);
}

/** "+12 −4", "new +12", "deleted"; empty: that branch did not touch it. */
export function effectWords({ added, removed, changes, created, deleted }: Effect): string {
  if (changes === 0) return "";
  if (deleted) return t("deleted", { context: "file" });
  const lines =
    added + removed > 0
      ? `+${formatCount(added)} −${formatCount(removed)}`
      : t("changed", { context: "file" });
  return created ? t("new {{lines}}", { lines }) : lines;
}

/** "5 files changed: 2 by both, 1 only left, 2 only right". */
export function filesWords({ files, omitted }: FileEffects): string {
  if (files.length === 0) return t("Neither branch changed a file");
  const both = files.filter(({ left, right }) => left.changes > 0 && right.changes > 0).length;
  const left = files.filter(({ right }) => right.changes === 0).length;
  const right = files.length - both - left;
  const parts = [
    both > 0 && t("{{count}} by both", { count: both }),
    left > 0 && t("{{count}} only left", { count: left }),
    right > 0 && t("{{count}} only right", { count: right }),
  ].filter(Boolean);
  return plural(
    files.length + omitted,
    "{{count}} file changed: {{parts}}",
    "{{count}} files changed: {{parts}}",
    { parts: parts.join(", ") },
  );
}

/** The last label of the turns that only this side has; empty: none. */
export function sideLabel({ skeleton, labels }: Tree, shared: number, last: number): string {
  let at = partAt(skeleton, last, Number.POSITIVE_INFINITY);
  while (at >= 0 && skeleton.number[at] !== shared) {
    const label = labels.get(at);
    if (label !== undefined) return label;
    at = parentOf(skeleton, at);
  }
  return "";
}
