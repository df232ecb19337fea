// What a bar of the timeline shows, summed up from the parts of its turn.

import { formatCount, formatDuration, formatPlural } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import { compacted, runStatus, type Tree } from "@/lib/tree/skeleton";
import { byte } from "../layout/columns";
import { costOf, type Measure, shareOf } from "../map/measure";
import { checkpointWords, turnCost } from "../turn/turn-name";
import type { TurnWork } from "../turn/turn-work";
import type { TimelineBar } from "./timeline-bars";
import type { TimelineSpan } from "./timeline-layout";

/** What is known about a bar. Facts that have not been read are 0 or empty. */
export interface BarFacts {
  steps: number;
  workedMs: number;
  failed: number;
  /** The share of the working time that failed calls took. */
  failedShare: number;
  hasFailed: boolean;
  isCompacted: boolean;
  /** Words about the files stored before the turn; empty: none were. */
  checkpoint: string;
  commits: readonly { hash: string; subject: string }[];
  cost: string;
}

/** The times of a bar; its work is 0 until it has been read. */
export function spanOf(tree: Tree, { efforts }: TurnWork, { parts }: TimelineBar): TimelineSpan {
  const startedMs = tree.skeleton.createdAtMs[parts[0] ?? -1] ?? 0;
  let [endedMs, workedMs] = [startedMs, 0];
  for (const part of parts) {
    const effort = efforts.get(part);
    endedMs = Math.max(endedMs, effort?.endedAtMs ?? 0);
    workedMs += effort?.workedMs ?? 0;
  }
  // The parts of a turn follow each other: the time from a prompt to its answer is in neither of them.
  for (let at = 1; at < parts.length; at++) {
    const from = efforts.get(parts[at - 1] as number)?.endedAtMs ?? 0;
    const until = tree.skeleton.createdAtMs[parts[at] as number] ?? 0;
    const between = until - from;
    if (from > 0 && between > 0 && between <= longestWorkGapMs) workedMs += between;
  }
  return { startedMs, endedMs, workedMs };
}

/** As WorkGapMs in backend/core: a longer time between two messages is a pause. */
const longestWorkGapMs = 10 * 60_000;

/** The facts of a bar. */
export function factsOf(tree: Tree, work: TurnWork, bar: TimelineBar): BarFacts {
  let [steps, failed, failedMs, hasFailed, isCompacted] = [0, 0, 0, false, false];
  const commits: { hash: string; subject: string }[] = [];
  for (const part of bar.parts) {
    const flags = byte(tree.skeleton.flags, part);
    const done = work.works.get(part);
    steps += work.efforts.get(part)?.steps ?? 0;
    failed += done?.failed ?? 0;
    failedMs += done?.failedMs ?? 0;
    hasFailed ||= runStatus(flags) === "failed";
    isCompacted ||= (flags & compacted) !== 0 || (done?.compactions ?? 0) > 0;
    commits.push(...(done?.commits ?? []));
  }
  const { workedMs } = spanOf(tree, work, bar);
  return {
    steps,
    workedMs,
    failed,
    failedShare: workedMs > 0 ? Math.min(1, failedMs / workedMs) : 0,
    hasFailed: hasFailed || failed > 0,
    isCompacted,
    checkpoint: bar.parts.map((part) => checkpointWords(tree, part)).find(Boolean) ?? "",
    commits,
    cost: turnCost(tree, ...bar.parts),
  };
}

/** The size of a bar from 0 to 1, by what the user has chosen; 0 if that is not known. */
export function barShare(
  tree: Tree,
  { steps, workedMs }: BarFacts,
  bar: TimelineBar,
  measure: Measure,
  mostCostNanoUsd: number,
): number {
  if (measure !== "cost") return shareOf(measure, { steps, workedMs });
  if (mostCostNanoUsd === 0) return 0;
  const costNanoUsd = bar.parts.reduce(
    (sum, part) => sum + Math.max(0, costOf(tree.skeleton, part)),
    0,
  );
  return Math.sqrt(Math.min(1, costNanoUsd / mostCostNanoUsd));
}

/** What a bar is called after its words: "8 min, 41 steps, 3 failed, 2 commits". */
export function barWords(facts: BarFacts, forks: number): string {
  return [
    facts.workedMs > 0 && formatDuration(facts.workedMs),
    facts.steps > 0 && formatPlural(facts.steps, "step"),
    facts.cost,
    facts.failed > 0 && t("{{count}} failed", { count: formatCount(facts.failed) }),
    facts.isCompacted && t("context summarised"),
    facts.checkpoint,
    facts.commits.length > 0 &&
      plural(facts.commits.length, "{{count}} commit", "{{count}} commits"),
    forks > 0 && plural(forks, "{{count}} other branch", "{{count}} other branches"),
  ]
    .filter(Boolean)
    .join(", ");
}
