import type { ReactNode } from "react";
import { Button } from "@/components/form/button";
import { SessionLink } from "@/components/session/session-link";
import { Tooltip } from "@/components/text/tooltip";
import type { Turn, Work } from "@/lib/api/api";
import {
  baseName,
  formatClock,
  formatCount,
  formatDay,
  formatDuration,
  formatExact,
  formatPlural,
  formatTokens,
} from "@/lib/format/format";
import { shortModel } from "@/lib/format/model";
import { plural, t } from "@/lib/i18n/i18n";
import { commandSpec } from "@/lib/keys/commands";
import { useLinks } from "@/lib/session/links";
import { parentOf, type Skeleton, type Tree } from "@/lib/tree/skeleton";
import { int } from "../layout/columns";
import type { OutlinedTree } from "../layout/use-layout";
import { nodeOf, turnCost, turnText } from "./turn-name";
import { TurnPager } from "./turn-pager";
import type { TurnWords } from "./turn-words";
import { changedFiles } from "./turn-work";
import { useSelectedWork } from "./use-selected-work";
import { useWords } from "./use-turn-words";

interface DetailsProps {
  layout: OutlinedTree;
  turn: number;
  words: TurnWords;
  onLabel: () => void;
  /** Shows another turn. */
  onTurn: (turn: number) => void;
}

/** What is known about the selected turn. */
export function Details({ layout, turn, words, onLabel, onTurn }: DetailsProps) {
  const { tree } = layout;
  const { skeleton } = tree;
  const label = tree.labels.get(turn);
  const createdAtMs = skeleton.createdAtMs[turn] ?? 0;
  const said = useWords(words, turn);
  const work = useSelectedWork(tree.sessionId, said);
  return (
    <dl
      aria-label={t("Selected turn")}
      data-node={nodeOf(skeleton, turn)}
      className="selectable grid max-h-[clamp(72px,100%_-_300px,45%)] flex-none overflow-y-auto grid-cols-[minmax(64px,auto)_minmax(0,1fr)] gap-x-3 gap-y-1 border-t border-border px-4 py-3 [&_dd]:truncate [&_dt]:text-text-3"
    >
      <dt>{t("Turn")}</dt>
      <dd className="@container flex items-center justify-between gap-2 overflow-visible!">
        <Tooltip text={nodeOf(skeleton, turn)} side="top">
          <span className="flex min-w-0 gap-1">
            <span dir="auto" className="truncate">
              {turnText(said)}
            </span>
            <span className="hidden flex-none text-text-3 @[13rem]:inline">
              {`· ${formatPlural(int(skeleton.messages, turn), "message")}`}
            </span>
          </span>
        </Tooltip>
        <span className="-my-0.5">
          <TurnPager layout={layout} turn={turn} words={words} onTurn={onTurn} />
        </span>
      </dd>
      <dt>{t("Label")}</dt>
      <dd className="overflow-visible!">
        <Button
          variant="quiet"
          className="-my-0.5 -ms-1.5 h-[22px]! max-w-full justify-start! px-1.5! text-start"
          aria-label={
            label ? t("Label {{label}}, change it", { label }) : commandSpec("label-turn").title
          }
          onClick={onLabel}
        >
          <span className={label ? "truncate text-text" : "text-text-3"}>
            {label || t("Add a label")}
          </span>
        </Button>
      </dd>
      <dt>{t("Time")}</dt>
      <dd>
        <Tooltip text={formatExact(createdAtMs)} side="top">
          <span>{whenAndWho(createdAtMs, said)}</span>
        </Tooltip>
      </dd>
      <dt>{t("Files")}</dt>
      <dd>
        <Files work={work} />
      </dd>
      <dt>{t("Spent")}</dt>
      <dd>{spent(tree, turn, work)}</dd>
      <dt>{t("Branch")}</dt>
      <dd>{branchOf(tree, turn)}</dd>
      <Linked tree={tree} turn={turn} />
    </dl>
  );
}

// The links of a turn, and with those of a first one the links of the whole session.
function Linked({ tree, turn }: { tree: Tree; turn: number }) {
  const isFirst = parentOf(tree.skeleton, turn) < 0;
  const links = useLinks(tree.sessionId).filter(
    (link) => link.turn === int(tree.skeleton.number, turn) || (isFirst && link.turn < 0),
  );
  if (links.length === 0) return null;
  return (
    <>
      <dt>{t("Linked")}</dt>
      <dd>
        {links.map((link) => (
          <SessionLink key={`${link.way} ${link.sessionId} ${link.otherUid}`} link={link} />
        ))}
      </dd>
    </>
  );
}

function whenAndWho(createdAtMs: number, said: Turn | undefined): string {
  const when =
    createdAtMs === 0 ? t("unknown") : `${formatDay(createdAtMs)} ${formatClock(createdAtMs)}`;
  return [when, shortModel(said?.model ?? "")].filter(Boolean).join(" · ");
}

// What the tree knows at once, and how long it took where its messages were read.
function spent(tree: Tree, turn: number, work: Work | null | undefined): string {
  const tokens = int(tree.skeleton.tokens, turn);
  const estimated = tree.skeleton.estimatedCostNanoUsd[turn] ?? 0;
  const parts = [
    tokens > 0 && formatTokens(tokens),
    turnCost(tree, turn) &&
      (estimated > 0
        ? t("{{cost}} at list price", { cost: turnCost(tree, turn) })
        : turnCost(tree, turn)),
    work && formatDuration(work.workedMs),
  ];
  return parts.filter(Boolean).join(" · ") || (work === undefined ? "…" : t("unknown"));
}

function branchOf({ skeleton, branchCount }: Tree, turn: number): string {
  const branch = int(skeleton.branch, turn);
  const place = { number: branch + 1, total: branchCount };
  const from = parentBranch(skeleton, turn);
  return from < 0
    ? t("{{number}} of {{total}}", place)
    : t("{{number}} of {{total}}, from branch {{from}}", { ...place, from: from + 1 });
}

// The parent of the turn's branch; -1 for one that begins at a root.
function parentBranch(skeleton: Skeleton, turn: number): number {
  const branch = int(skeleton.branch, turn);
  let at = turn;
  while (at >= 0 && int(skeleton.branch, at) === branch) at = parentOf(skeleton, at);
  return at < 0 ? -1 : int(skeleton.branch, at);
}

function Files({ work }: { work: Work | null | undefined }): ReactNode {
  if (!work) return <span className="text-text-3">{work === null ? t("unknown") : "…"}</span>;
  const files = changedFiles(work);
  if (work.files === 0) return <span className="text-text-3">{t("none changed")}</span>;
  const more = work.files - files.length;
  return (
    <Tooltip
      side="top"
      text={
        <span>
          {files.map(({ text, added, removed }) => (
            <span key={text} className="block">{`${text} +${added} −${removed}`}</span>
          ))}
          {more > 0 && plural(more, "and {{count}} more file", "and {{count}} more files")}
        </span>
      }
    >
      <span>
        {formatPlural(work.files, "file")}
        <Lines added={work.added} removed={work.removed} />
        {" · "}
        <span dir="ltr">{files.map(({ text }) => baseName(text)).join(", ")}</span>
      </span>
    </Tooltip>
  );
}

function Lines({ added, removed }: { added: number; removed: number }) {
  return (
    <>
      {added > 0 && <bdi dir="ltr" className="ms-1 text-accent">{`+${formatCount(added)}`}</bdi>}
      {removed > 0 && <bdi dir="ltr" className="ms-1 text-error">{`−${formatCount(removed)}`}</bdi>}
    </>
  );
}
