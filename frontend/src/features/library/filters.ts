import type { SessionFilter } from "@/lib/api/api";
import { dateOf, plusDays, type Range, startMs } from "@/lib/format/days";
import { formatDate } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { changeWindowState } from "@/lib/store/window-state";

/** The lists of a library; one is shown. */
export type Shelf = "all" | "unfinished" | "pinned" | "archived" | "trash";

/** What the list is under the headings of. */
export type Group = "day" | "project" | "tag";

/** The filters of the library as the user set them; stored by the window. */
export interface LibraryFilter {
  shelf: Shelf;
  query: string;
  sources: string[];
  statuses: string[];
  workspace: string;
  model: string;
  label: string;
  project: string;
  tag: string;
  /** Only sessions with several branches. */
  branched: boolean;
  /** Only sessions that failed, or in which a tool call failed. */
  errors: boolean;
  /** The headings of the list. */
  group: Group;
  /** Days of activity; null: any. */
  days: Range | null;
  /** The children of this session only. */
  parent: { id: string; title: string } | null;
  sort: string;
}

export const noFilter: LibraryFilter = {
  shelf: "all",
  query: "",
  sources: [],
  statuses: [],
  workspace: "",
  model: "",
  label: "",
  project: "",
  tag: "",
  branched: false,
  errors: false,
  group: "day",
  days: null,
  parent: null,
  sort: "updated",
};

/** The stored filter, with missing or invalid values replaced. */
export function readFilter(kept: Partial<LibraryFilter>): LibraryFilter {
  const filter = { ...noFilter, ...kept };
  const { days } = filter;
  const sound =
    Array.isArray(filter.sources) &&
    Array.isArray(filter.statuses) &&
    (days === null || (typeof days?.since === "string" && typeof days.until === "string"));
  return sound ? filter : noFilter;
}

/** Shows what a filter matches without any other filter, in the chosen order. A range without ends does not filter. */
export function showOnly(part: Partial<LibraryFilter>): void {
  const days = part.days?.since || part.days?.until ? part.days : null;
  changeWindowState<Partial<LibraryFilter>>("filter", noFilter, (now) => ({
    ...noFilter,
    sort: readFilter(now).sort,
    group: readFilter(now).group,
    ...part,
    days,
  }));
}

/** The filter as an argument for Go. */
export function toSessionFilter(filter: LibraryFilter): SessionFilter {
  const { shelf, parent, query, sources, statuses, workspace, model, label, days } = filter;
  const { project, tag, branched, errors, group } = filter;
  // Groups come one after the other, so their order is that of the list; within them the newest comes first.
  const sort = group === "day" ? filter.sort : group;
  return {
    query: query.trim(),
    sources,
    statuses,
    workspace,
    model,
    label,
    tag,
    project,
    branched,
    errors,
    sort,
    parentId: parent?.id ?? "",
    // Something in the trash may be a child without its parent.
    children: shelf === "trash",
    incomplete: shelf === "unfinished",
    pinned: shelf === "pinned",
    archived: shelf === "archived",
    trash: shelf === "trash",
    pinnedFirst: shelf === "all" && sort === "updated",
    activeFromMs: days?.since ? startMs(days.since) : 0,
    activeBeforeMs: days?.until ? startMs(plusDays(days.until, 1)) : 0,
    limit: 0,
    offset: 0,
  };
}

/** A range of days in words. */
export function daysWords({ since, until }: Range): string {
  const words = (day: string) => formatDate(dateOf(day));
  if (since === until) return words(since);
  if (!since) return t("Until {{day}}", { day: words(until) });
  return until ? `${words(since)} – ${words(until)}` : t("Since {{day}}", { day: words(since) });
}

/** Reports whether more than the chosen list is filtered. */
export function isNarrowed(filter: LibraryFilter): boolean {
  return (
    filter.query.trim() !== "" ||
    filter.sources.length > 0 ||
    filter.statuses.length > 0 ||
    filter.workspace !== "" ||
    filter.model !== "" ||
    filter.label !== "" ||
    filter.project !== "" ||
    filter.tag !== "" ||
    filter.branched ||
    filter.errors ||
    filter.days !== null ||
    filter.parent !== null
  );
}
