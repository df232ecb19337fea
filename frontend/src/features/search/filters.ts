// The filters of a search in addition to its words, and their form in the query language.

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

export const roleChoices: { value: string; title: string }[] = [
  { value: "", title: "Anyone" },
  { value: "user", title: "You" },
  { value: "assistant", title: "Assistant" },
  { value: "tool", title: "Tools" },
];

export const sinceChoices: { value: string; title: string }[] = [
  { value: "", title: "Any time" },
  { value: "today", title: "Today" },
  { value: "7d", title: "Last 7 days" },
  { value: "30d", title: "Last 30 days" },
  { value: "1y", title: "Last year" },
];
