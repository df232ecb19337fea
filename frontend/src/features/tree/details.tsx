import type { ReactNode } from "react";
import { Button } from "@/components/button";
import { Tooltip } from "@/components/tooltip";
import type { Branch, Turn } from "@/lib/api";
import {
  baseName,
  formatClock,
  formatCost,
  formatDay,
  formatDuration,
  formatExact,
  formatPlural,
  formatTokens,
} from "@/lib/format";
import { type Spending, useSpending } from "./turn-spending";

interface DetailsProps {
  sessionId: string;
  turn: Turn;
  branches: readonly Branch[];
  onLabel: () => void;
}

/** What is known about the selected turn. */
export function Details({ sessionId, turn, branches, onLabel }: DetailsProps) {
  const spending = useSpending(sessionId, turn);
  return (
    <dl
      aria-label="Selected turn"
      className="selectable grid max-h-[45%] flex-none overflow-y-auto grid-cols-[72px_minmax(0,1fr)] gap-y-1 border-t border-border px-4 py-3 [&_dd]:truncate [&_dt]:text-text-3"
    >
      <dt>Turn</dt>
      <dd>{`n${turn.node} · ${formatPlural(turn.messages, "message")}`}</dd>
      <dt>Label</dt>
      <dd className="overflow-visible!">
        <Button
          variant="quiet"
          className="-my-0.5 -ml-1.5 h-[22px]! max-w-full justify-start! px-1.5! text-left"
          aria-label={turn.label ? `Label ${turn.label}, change it` : `Label n${turn.node}`}
          onClick={onLabel}
        >
          <span className={turn.label ? "truncate text-text" : "text-text-3"}>
            {turn.label || "Add a label"}
          </span>
        </Button>
      </dd>
      <dt>Time</dt>
      <dd>
        <Tooltip text={formatExact(turn.createdAtMs)} side="top">
          <span>{whenAndWho(turn, spending)}</span>
        </Tooltip>
      </dd>
      <dt>Files</dt>
      <dd>
        {spending && spending.files.length > 0 ? (
          <Files files={spending.files} />
        ) : (
          <span className="text-text-3">{spending === undefined ? "…" : "none changed"}</span>
        )}
      </dd>
      <dt>Spent</dt>
      <dd>{spending === undefined ? "…" : spent(spending)}</dd>
      <dt>Branch</dt>
      <dd>{branchOf(turn, branches)}</dd>
    </dl>
  );
}

function whenAndWho({ createdAtMs }: Turn, spending: Spending | null | undefined): string {
  const when =
    createdAtMs === 0 ? "not known" : `${formatDay(createdAtMs)} ${formatClock(createdAtMs)}`;
  return [when, spending?.model].filter(Boolean).join(" · ");
}

function spent(spending: Spending | null): string {
  if (!spending) return "not known";
  const { tokens, costNanoUsd, durationMs } = spending;
  return (
    [tokens > 0 && formatTokens(tokens), formatCost(costNanoUsd), formatDuration(durationMs)]
      .filter(Boolean)
      .join(" · ") || "not known"
  );
}

function branchOf(turn: Turn, branches: readonly Branch[]): string {
  const { parent } = branches[turn.branch] ?? { parent: -1 };
  const name = `${turn.branch + 1} of ${branches.length}`;
  return parent < 0 ? name : `${name}, from branch ${parent + 1}`;
}

function Files({ files }: { files: Spending["files"] }): ReactNode {
  return (
    <Tooltip
      side="top"
      text={files.map(({ path, added, removed }) => (
        <span key={path} className="block">{`${path} +${added} −${removed}`}</span>
      ))}
    >
      <span>
        {files.map(({ path, added, removed }, index) => (
          <span key={path}>
            {index > 0 && ", "}
            {baseName(path)} {added > 0 && <span className="text-accent">{`+${added} `}</span>}
            {removed > 0 && <span className="text-error">{`−${removed}`}</span>}
          </span>
        ))}
      </span>
    </Tooltip>
  );
}
