import type { SessionFilter } from "@/lib/api";

/** The lists a library has; one is shown. */
export type Shelf = "all" | "unfinished" | "pinned" | "archived" | "trash";

/** What the library shows, as a person set it; remembered by the window. */
export interface LibraryFilter {
  shelf: Shelf;
  query: string;
  sources: string[];
  statuses: string[];
  workspace: string;
  model: string;
  label: string;
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
  parent: null,
  sort: "updated",
};

/** What was remembered, with what is missing or of another shape filled in. */
export function readFilter(kept: Partial<LibraryFilter>): LibraryFilter {
  const filter = { ...noFilter, ...kept };
  const sound = Array.isArray(filter.sources) && Array.isArray(filter.statuses);
  return sound ? filter : noFilter;
}

/** The filter in the terms of Go. */
export function toSessionFilter(filter: LibraryFilter): SessionFilter {
  const { shelf, parent, query, sources, statuses, workspace, model, label, sort } = filter;
  return {
    query: query.trim(),
    sources,
    statuses,
    workspace,
    model,
    label,
    sort,
    parentId: parent?.id ?? "",
    // What is in the trash may be a child without its parent.
    children: shelf === "trash",
    incomplete: shelf === "unfinished",
    pinned: shelf === "pinned",
    archived: shelf === "archived",
    trash: shelf === "trash",
    pinnedFirst: shelf === "all" && sort === "updated",
    limit: 0,
    offset: 0,
  };
}

/** Says whether more than the shelf narrows the list. */
export function isNarrowed(filter: LibraryFilter): boolean {
  return (
    filter.query.trim() !== "" ||
    filter.sources.length > 0 ||
    filter.statuses.length > 0 ||
    filter.workspace !== "" ||
    filter.model !== "" ||
    filter.label !== "" ||
    filter.parent !== null
  );
}
