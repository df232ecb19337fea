import type { Home, SessionFilter } from "@/lib/api/api";
import type { FakeLibrary } from "./fake-library";
import { addUp } from "./fake-statistics";

const filter: SessionFilter = {
  query: "",
  sources: [],
  statuses: [],
  workspace: "",
  model: "",
  label: "",
  tag: "",
  project: "",
  branched: false,
  errors: false,
  parentId: "",
  children: false,
  incomplete: false,
  pinned: false,
  archived: false,
  trash: false,
  sort: "updated",
  pinnedFirst: false,
  limit: 5,
  offset: 0,
  activeFromMs: 0,
  activeBeforeMs: 0,
};

/** The home page of a library into which nothing was imported. */
export function fakeHome(library: FakeLibrary): Home {
  const list = (part: Partial<SessionFilter> = {}) => library.list({ ...filter, ...part }).sessions;
  const daysSinceMonday = (new Date().getDay() + 6) % 7;
  const weekFromMs = new Date().setHours(0, 0, 0, 0) - daysSinceMonday * 86_400_000;
  const { total } = addUp(
    library.all().filter(({ updatedAtMs }) => updatedAtMs >= weekFromMs),
    { since: "", until: "", sources: [], workspace: "", model: "", split: "" },
  );
  return {
    recent: list(),
    unfinished: list({ incomplete: true }),
    forked: list({ branched: true }),
    expensive: list({ sort: "cost" }).filter(({ costNanoUsd }) => costNanoUsd !== undefined),
    week: total,
    weekFromMs,
    imported: [],
  };
}
