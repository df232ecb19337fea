import clsx from "clsx";
import { FoldVertical, GitBranch, GitCommitVertical, History } from "lucide-react";
import type { CSSProperties } from "react";
import { formatClock, formatCount, formatDuration } from "@/lib/format/format";
import { visible } from "@/lib/format/visible";
import { t } from "@/lib/i18n/i18n";
import { formatDateAs } from "@/lib/i18n/intl";
import type { TreeLayout } from "../layout/use-layout";
import type { Measure } from "../map/measure";
import { partingText } from "../turn/parting";
import type { TurnWords } from "../turn/turn-words";
import type { TurnWork } from "../turn/turn-work";
import { type BarFacts, barShare, barWords, factsOf } from "./timeline-facts";
import { axisTexts, beginsDay } from "./timeline-layout";
import type { Direction, TimelineState } from "./use-timeline";

interface TimelineBarsProps {
  state: TimelineState;
  layout: TreeLayout;
  words: TurnWords;
  work: TurnWork;
  direction: Direction;
  measure: Measure;
  mostCostNanoUsd: number;
  /** The height of what is in sight. */
  height: number;
  found: Int32Array | null;
  cursor: number;
  /** The bar of the turn at the top of the transcript; -1 for none. */
  reading: number;
  optionId: (bar: number) => string;
}

/** Above and below the bars of a timeline that grows right, for their marks and their words. */
const markRoom = 64;
const axisRoom = 60;
const tallestBar = 340;
/** The words of a bar and the mark above it have at least so much room. */
const leastText = 104;
/** In less room marks have no words. */
const leastMark = 72;
/** How wide the bars of a timeline that grows down are, at most. */
const widestBar = 48;
/** In front of them, for the time. */
const clockRoom = 68;
/** The height of a line of text beside a bar. */
const lineHeight = 20;

/** The bars in sight, the breaks between them, and the axis. */
export function TimelineBars(props: TimelineBarsProps) {
  const { state, layout, work, direction, measure } = props;
  const { bars, placed, inSight } = state;
  const shown = Array.from({ length: inSight.last - inSight.first }, (_, at) => inSight.first + at);
  const bodyHeight = Math.max(40, Math.min(tallestBar, props.height - markRoom - axisRoom));
  const isWide = direction === "right";
  const style: CSSProperties = isWide
    ? { width: placed.length, height: markRoom + bodyHeight + axisRoom }
    : { height: placed.length };
  const facts = new Map(
    shown.map((bar) => [bar, factsOf(layout.tree, work, bars[bar] ?? nothing)] as const),
  );
  const shareAt = (bar: number) =>
    barShare(
      layout.tree,
      facts.get(bar) as BarFacts,
      bars[bar] ?? nothing,
      measure,
      props.mostCostNanoUsd,
    );
  const shares = new Map(shown.map((bar) => [bar, shareAt(bar)] as const));
  const heights = new Map([...shares].map(([bar, share]) => [bar, barHeight(share, bodyHeight)]));
  return (
    <div
      style={style}
      className={clsx("relative", isWide ? "top-1/2 min-w-full -translate-y-1/2" : "w-full")}
    >
      {shown.map((bar) => {
        const of = facts.get(bar) as BarFacts;
        const at = bars[bar] ?? nothing;
        const share = shares.get(bar) ?? 0;
        const box = { bar, facts: of, share, height: heights.get(bar) ?? 0 };
        return isWide ? (
          <WideBar key={at.turn} {...props} {...box} />
        ) : (
          <TallBar key={at.turn} {...props} {...box} />
        );
      })}
      {shown.map((bar) => (
        <Break key={bars[bar]?.turn} state={state} bar={bar} isWide={isWide} />
      ))}
      {isWide && <Axis {...props} shown={facts} heights={heights} />}
    </div>
  );
}

const nothing = { turn: -1, parts: [], forks: 0 };

interface BarProps extends TimelineBarsProps {
  bar: number;
  facts: BarFacts;
  /** Its size by what the user has chosen, from 0 to 1. */
  share: number;
}

/** What a bar is called, for users who listen. */
function nameOf({ state, layout, words, bar, facts }: BarProps): string {
  const { turn = -1, forks = 0 } = state.bars[bar] ?? {};
  const startedMs = state.spans[bar]?.startedMs ?? 0;
  return [
    partingText(layout.skeleton, layout.strands, words, turn),
    layout.tree.labels.get(turn) &&
      t("label {{label}}", { label: layout.tree.labels.get(turn) ?? "" }),
    barWords(facts, forks),
    startedMs > 0 && `${formatDateAs("short day", startedMs)} ${formatClock(startedMs)}`,
  ]
    .filter(Boolean)
    .join(", ");
}

function optionOf(props: BarProps) {
  const { bar, cursor, optionId, state } = props;
  return {
    id: optionId(bar),
    role: "option",
    tabIndex: -1,
    "data-bar": bar,
    "data-turn": state.bars[bar]?.turn,
    "aria-selected": bar === cursor,
    "aria-label": nameOf(props),
    "aria-setsize": state.bars.length,
    "aria-posinset": bar + 1,
  } as const;
}

function isFound({ found, state, bar }: BarProps): boolean {
  return found?.some((turn) => state.bars[bar]?.parts.includes(turn)) ?? false;
}

/** The bar itself, whose red part is the time of its failed calls. */
function Body({ props, style }: { props: BarProps; style: CSSProperties }) {
  const { facts, bar, cursor, reading, found } = props;
  return (
    <span
      style={style}
      className={clsx(
        "absolute overflow-hidden rounded-[3px] bg-accent",
        bar === cursor ? "opacity-100 outline-2 outline-offset-1 outline-text" : "opacity-70",
        bar === reading && bar !== cursor && "opacity-90 outline-1 outline-offset-1 outline-accent",
        found && (isFound(props) ? "opacity-100 ring-2 ring-warn" : "opacity-30"),
      )}
    >
      {facts.failed > 0 && (
        <span
          data-failed
          className={clsx("absolute bg-error", failedSide(props.direction))}
          style={{
            [props.direction === "right" ? "width" : "height"]:
              `max(3px, ${100 * facts.failedShare}%)`,
          }}
        />
      )}
    </span>
  );
}

function failedSide(direction: Direction): string {
  return direction === "right" ? "inset-y-0 start-0" : "inset-x-0 top-0";
}

/** The height of a bar that is seen even if its size is not known. */
function barHeight(share: number, most: number): number {
  return Math.max(6, share * most);
}

function WideBar(props: BarProps & { height: number }) {
  const { state, bar, height } = props;
  return (
    <div
      {...optionOf(props)}
      className="group absolute inset-y-0 cursor-pointer"
      style={{ left: state.placed.at[bar], width: state.placed.size[bar] }}
    >
      <Body props={props} style={{ left: 0, right: 0, height, bottom: axisRoom }} />
    </div>
  );
}

function TallBar(props: BarProps) {
  const { state, layout, words, bar, share, facts } = props;
  const { turn = -1, forks = 0 } = state.bars[bar] ?? {};
  const startedMs = state.spans[bar]?.startedMs ?? 0;
  const label = layout.tree.labels.get(turn);
  const lines = Math.max(
    1,
    Math.min(4, Math.floor(((state.placed.size[bar] ?? 0) - 4) / lineHeight)),
  );
  return (
    <div
      {...optionOf(props)}
      className="absolute inset-x-0 flex cursor-pointer items-start pe-3 hover:bg-sunken aria-selected:bg-accent-soft"
      style={{ top: state.placed.at[bar], height: state.placed.size[bar] }}
    >
      <span className="shrink-0 ps-3 text-sm/6 whitespace-nowrap text-text-3 tabular-nums">
        {startedMs > 0 && formatClock(startedMs)}
      </span>
      <Body
        props={props}
        style={{
          insetInlineStart: clockRoom,
          width: Math.max(6, share * widestBar),
          top: 3,
          bottom: 3,
        }}
      />
      <span
        className="absolute overflow-hidden"
        style={{
          insetInlineStart: clockRoom + widestBar + 8,
          insetInlineEnd: 16 + markCount(facts, forks) * 17,
          height: lines * lineHeight + 2,
        }}
      >
        <span className="block truncate leading-6" dir="auto">
          {label && (
            <span className="me-1.5 rounded-full border border-border px-1.5 text-sm">
              {visible(label)}
            </span>
          )}
          {partingText(layout.skeleton, layout.strands, words, turn)}
        </span>
        {lines > 1 && (
          <span
            dir="auto"
            className="text-sm/5 text-text-3 [overflow-wrap:anywhere]"
            style={{
              display: "-webkit-box",
              WebkitBoxOrient: "vertical",
              WebkitLineClamp: lines - 1,
            }}
          >
            {visible(words.get(turn)?.answer ?? "")}
          </span>
        )}
      </span>
      <span className="flex-1" />
      <Marks facts={facts} forks={forks} look="row" />
    </div>
  );
}

interface MarksProps {
  facts: BarFacts;
  forks: number;
  /** With words, in a row; without them the marks are above each other where the timeline grows right. */
  look: "words" | "stack" | "row";
}

/** The marks of a bar: branches that leave it, a compaction, a checkpoint, commits. */
function Marks({ facts, forks, look }: MarksProps) {
  const { isCompacted, checkpoint, commits } = facts;
  return (
    <span
      aria-hidden="true"
      className={clsx(
        "flex min-w-0 items-center gap-1 text-sm/4 text-text-2",
        look === "stack" && "flex-col-reverse",
        look === "words" && "max-w-full self-start rounded-sm bg-bg/85 pe-1",
        look === "row" && "h-6 shrink-0 ps-1",
      )}
    >
      {forks > 0 && (
        <span className="flex shrink-0 items-center" data-mark="fork">
          <GitBranch size={13} />
          {look === "words" && formatCount(forks)}
        </span>
      )}
      {isCompacted && (
        <FoldVertical size={13} data-mark="compaction" className="shrink-0 text-reasoning" />
      )}
      {checkpoint && <History size={13} data-mark="checkpoint" className="shrink-0 text-text-3" />}
      {commits.length > 0 && (
        <GitCommitVertical size={13} data-mark="commit" className="shrink-0 text-accent" />
      )}
      {look === "words" && <span className="truncate">{markWords(facts)}</span>}
    </span>
  );
}

/** The newest commit of a bar, with their number; of a bar without one that the context was summarised. */
function markWords({ commits, isCompacted }: BarFacts): string {
  const last = commits.at(-1);
  if (!last) return isCompacted ? t("context summarised") : "";
  return [commits.length > 1 && formatCount(commits.length), visible(last.subject) || last.hash]
    .filter(Boolean)
    .join(" · ");
}

/** How many marks a bar has. */
function markCount({ isCompacted, checkpoint, commits }: BarFacts, forks: number): number {
  return [forks > 0, isCompacted, checkpoint !== "", commits.length > 0].filter(Boolean).length;
}

/** A pause before a bar: a dashed line with its length, and on another day its date. */
function Break({ state, bar, isWide }: { state: TimelineState; bar: number; isWide: boolean }) {
  const { placed, spans } = state;
  const idleMs = placed.idleMs[bar] ?? 0;
  if (idleMs === 0) return null;
  const before = (placed.at[bar - 1] ?? 0) + (placed.size[bar - 1] ?? 0);
  const room = (placed.at[bar] ?? 0) - before;
  const pause = pauseWords(idleMs);
  if (isWide)
    return (
      <span
        data-break
        className="pointer-events-none absolute flex flex-col items-center text-sm text-text-3"
        style={{ left: before, width: room, top: 8, bottom: axisRoom - 4 }}
      >
        <span className="text-center leading-4">{pause}</span>
        <span className="mt-1 flex-1 border-s border-dashed border-border-strong" />
      </span>
    );
  const isNewDay = beginsDay(spans, bar);
  return (
    <span
      data-break
      className="pointer-events-none absolute inset-x-3 flex items-center gap-2 text-sm text-text-3"
      style={{ top: before, height: room }}
    >
      {isNewDay && (
        <span className="text-text-2">
          {formatDateAs("day in words", spans[bar]?.startedMs ?? 0)}
        </span>
      )}
      <span className="flex-1 border-t border-dashed border-border-strong" />
      {pause}
    </span>
  );
}

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** "52 min", "11 h", "3 d": a pause is as good as its first unit. */
function pauseWords(ms: number): string {
  if (ms >= 2 * dayMs) return t("{{days}} d", { days: Math.round(ms / dayMs) });
  return formatDuration(
    ms >= hourMs ? Math.round(ms / hourMs) * hourMs : Math.round(ms / 60_000) * 60_000,
  );
}

/** Below the bars their words, and the time or the date; above them their marks. */
function Axis(
  props: TimelineBarsProps & {
    shown: ReadonlyMap<number, BarFacts>;
    heights: ReadonlyMap<number, number>;
  },
) {
  const { state, layout, words, shown, heights } = props;
  const { placed, inSight, bars, spans } = state;
  const texts = axisTexts(placed, inSight, leastText);
  const marked = [...shown].filter(([bar, facts]) => markCount(facts, bars[bar]?.forks ?? 0) > 0);
  return (
    <>
      <span
        className="pointer-events-none absolute inset-x-0 border-t border-border"
        style={{ bottom: axisRoom - 1 }}
      />
      {texts.map(({ bar, at, room }) => (
        <span
          key={bars[bar]?.turn}
          aria-hidden="true"
          className="pointer-events-none absolute flex flex-col text-sm"
          style={{ left: at, width: room, bottom: 8, height: axisRoom - 14 }}
        >
          <span className="truncate pe-2 text-text-2">
            {partingText(layout.skeleton, layout.strands, words, bars[bar]?.turn ?? -1)}
          </span>
          <time className="truncate text-text-3 tabular-nums">{timeWords(spans, bar)}</time>
        </span>
      ))}
      {marked.map(([bar, facts], at) => {
        const next = marked[at + 1]?.[0];
        const left = placed.at[bar] ?? 0;
        const end = next === undefined ? placed.length : (placed.at[next] ?? 0);
        const room = Math.min(240, end - left - 6);
        return (
          <span
            key={bars[bar]?.turn}
            className="pointer-events-none absolute flex flex-col justify-end"
            style={{
              left,
              width: Math.max(14, room),
              bottom: axisRoom + (heights.get(bar) ?? 0) + 5,
            }}
          >
            <Marks
              facts={facts}
              forks={bars[bar]?.forks ?? 0}
              look={room >= leastMark ? "words" : "stack"}
            />
          </span>
        );
      })}
    </>
  );
}

/** The time of day at which a bar begins; the date with it on another day than the one before. */
function timeWords(spans: TimelineState["spans"], bar: number): string {
  const startedMs = spans[bar]?.startedMs ?? 0;
  if (startedMs === 0) return "";
  const clock = formatClock(startedMs);
  return beginsDay(spans, bar) ? `${formatDateAs("short day", startedMs)}, ${clock}` : clock;
}
