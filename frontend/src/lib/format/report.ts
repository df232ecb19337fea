// The report of an import in words.

import { formatCount, formatPlural } from "./format";

interface Report {
  imported: number;
  updated: number;
  unchanged: number;
  skipped: number;
  problems: readonly unknown[];
}

/** The counts of a report that are not zero: "34 imported, 1 problem"; "found nothing to import" if all are. */
export function reportWords(report: Report, problems = report.problems.length): string {
  const { imported, updated, unchanged, skipped } = report;
  const counts: [number, string][] = [
    [imported, "imported"],
    [updated, "updated"],
    [unchanged, "unchanged"],
    [skipped, "skipped"],
  ];
  const parts = counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${formatCount(count)} ${word}`);
  if (problems > 0) parts.push(formatPlural(problems, "problem"));
  return parts.length > 0 ? parts.join(", ") : "found nothing to import";
}
