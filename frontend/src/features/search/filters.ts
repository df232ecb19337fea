// The filters of a search in addition to its words, and their form in the query language.

import { t } from "@/lib/i18n/i18n";

/** How the text is matched. */
export type Reading = "words" | "text" | "regex";

/** The chosen filters; empty: any. */
export interface Filters {
  role: string;
  source: string;
  /** A distance from today, such as 7d. */
  since: string;
}

export const noFilters: Filters = { role: "", source: "", since: "" };

/** The filters as a query: "role:user after:7d". */
export function filterQuery({ role, source, since }: Filters): string {
  return [role && `role:${role}`, source && `source:${source}`, since && `after:${since}`]
    .filter(Boolean)
    .join(" ");
}

export const roleChoices = (): { value: string; title: string }[] => [
  { value: "", title: t("Anyone") },
  { value: "user", title: t("You") },
  { value: "assistant", title: t("Assistant") },
  { value: "tool", title: t("Tools") },
];

export const sinceChoices = (): { value: string; title: string }[] => [
  { value: "", title: t("Any time") },
  { value: "today", title: t("Today") },
  { value: "7d", title: t("Last 7 days") },
  { value: "30d", title: t("Last 30 days") },
  { value: "1y", title: t("Last year") },
];
