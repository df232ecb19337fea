// The report of an import in words.

import { t } from "@/lib/i18n/i18n";
import { formatPlural } from "./format";

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
  const parts: string[] = [];
  if (imported > 0) parts.push(t("{{number}} imported", { number: imported }));
  if (updated > 0) parts.push(t("{{number}} updated", { number: updated }));
  if (unchanged > 0) parts.push(t("{{number}} unchanged", { number: unchanged }));
  if (skipped > 0) parts.push(t("{{number}} skipped", { number: skipped }));
  if (problems > 0) parts.push(formatPlural(problems, "problem"));
  return parts.length > 0 ? parts.join(", ") : t("found nothing to import");
}
