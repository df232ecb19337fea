import { FoldVertical, GitBranch, GitCommitVertical, History } from "lucide-react";
import type { ReactNode } from "react";
import { formatCount, formatDuration } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import { formatDateAs } from "@/lib/i18n/intl";
import type { Tree } from "@/lib/tree/skeleton";
import { mostBars } from "./timeline-bars";
import type { TimelineState } from "./use-timeline";

interface TimelineHeaderProps {
  state: TimelineState;
  tree: Tree;
  /** Turns of the whole tree. */
  total: number;
}

/** The line above the timeline: how much it shows, and what its marks mean. */
export function TimelineHeader({ state, total }: TimelineHeaderProps) {
  const { bars, spans } = state;
  const workedMs = spans.reduce((sum, span) => sum + span.workedMs, 0);
  const [first, last] = [spans[0]?.startedMs ?? 0, spans.at(-1)?.startedMs ?? 0];
  return (
    <div className="@container flex h-9 flex-none items-center gap-3 overflow-hidden border-b border-border px-4 text-sm whitespace-nowrap text-text-3">
      <span className="truncate">
        {[
          bars.length === mostBars && total > mostBars
            ? t("the last {{count}} turns", { count: formatCount(mostBars) })
            : plural(bars.length, "{{count}} turn", "{{count}} turns"),
          workedMs > 0 && t("worked {{duration}}", { duration: formatDuration(workedMs) }),
          first > 0 && days(first, last),
        ]
          .filter(Boolean)
          .join(" · ")}
      </span>
      <span className="flex-1" />
      <span className="hidden items-center gap-3 @[42rem]:flex" aria-hidden="true">
        <Key icon={<span className="size-2.5 rounded-[2px] bg-error" />}>{t("failed calls")}</Key>
        <Key icon={<GitCommitVertical size={13} />}>{t("commit")}</Key>
        <Key icon={<History size={13} />}>{t("checkpoint")}</Key>
        <Key icon={<FoldVertical size={13} />}>{t("context summarised")}</Key>
        <Key icon={<GitBranch size={13} />}>{t("other branches")}</Key>
      </span>
    </div>
  );
}

function Key({ icon, children }: { icon: ReactNode; children: string }) {
  return (
    <span className="flex items-center gap-1">
      {icon}
      {children}
    </span>
  );
}

function days(firstMs: number, lastMs: number): string {
  const [from, to] = [firstMs, lastMs].map((ms) => formatDateAs("day in words", ms));
  return from === to ? String(from) : `${from} – ${to}`;
}
