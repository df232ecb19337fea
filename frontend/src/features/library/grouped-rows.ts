// The rows of the library: sessions under the headings of their days, projects or tags.

import type { Session } from "@/lib/api/api";
import { formatDay } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import type { Group } from "./filters";

export type Row =
  | { type: "heading"; key: string; title: string }
  | { type: "session"; key: string; session: Session; position: number };

/** The time that a sort uses; undefined if it uses something else, which has no days. */
function timeOf(session: Session, sort: string): number | undefined {
  if (sort === "updated") return session.updatedAtMs;
  if (sort === "created") return session.createdAtMs;
  return undefined;
}

/**
 * Rows of sessions that are in the order of `sort`. With pinnedFirst the pinned ones, which come
 * first, are under a heading of their own. A session that occurs twice, because the list changed
 * between two pages, is shown once.
 */
export function toRows(
  sessions: readonly Session[],
  sort: string,
  pinnedFirst: boolean,
  nowMs = Date.now(),
  group: Group = "day",
): Row[] {
  const rows: Row[] = [];
  const seen = new Set<string>();
  let heading: string | undefined;
  let dayStart = Number.NaN;
  let title = "";
  for (const session of sessions) {
    if (seen.has(session.id)) continue;
    seen.add(session.id);
    const time = timeOf(session, sort);
    if (pinnedFirst && session.pinnedAtMs > 0) title = t("Pinned");
    else if (group === "project") title = session.project || t("No project");
    else if (group === "tag") title = session.tags?.join(", ") || t("No tag");
    else if (time === undefined) title = "";
    else {
      const start = new Date(time).setHours(0, 0, 0, 0);
      // Ten thousand sessions have only a few days.
      if (start !== dayStart || heading === t("Pinned")) title = formatDay(time, nowMs);
      dayStart = start;
    }
    if (title !== "" && title !== heading) {
      rows.push({ type: "heading", key: `day ${rows.length} ${title}`, title });
      heading = title;
    }
    rows.push({ type: "session", key: session.id, session, position: seen.size });
  }
  return rows;
}
