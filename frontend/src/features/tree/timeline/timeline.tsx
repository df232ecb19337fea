import clsx from "clsx";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { ContextMenu } from "@/components/menu/context-menu";
import type { MenuEntry } from "@/components/menu/menu-entry";
import { t } from "@/lib/i18n/i18n";
import { runCommand } from "@/lib/keys/commands";
import type { PathEnds } from "../layout/path-ends";
import type { TreeLayout } from "../layout/use-layout";
import { highestCost } from "../map/measure";
import { useMeasure } from "../map/use-measure";
import type { TurnWords } from "../turn/turn-words";
import type { TurnWork } from "../turn/turn-work";
import { TimelineBars } from "./timeline-bars-view";
import { TimelineHeader } from "./timeline-header";
import { timelineKey } from "./timeline-keys";
import { useScrolled, useTimeline } from "./use-timeline";

interface TimelineProps {
  layout: TreeLayout;
  /** The path on screen. */
  path: PathEnds;
  words: TurnWords;
  work: TurnWork;
  /** The turns that were found; null while nothing is looked for. */
  found: Int32Array | null;
  /** The turn at the top of the transcript; -1 for none. */
  reading: number;
  selected: number;
  onSelect: (turn: number) => void;
  onView: (turn: number) => void;
  onContinue: (turn: number) => void;
  onHoist: (turn: number) => void;
  onLabel: (turn: number, top: number) => void;
  onHover: (hover: { turn: number; top: number } | null) => void;
  menuFor: (turn: number, top: number) => readonly MenuEntry[];
}

const mostZoom = 32;

/** The path on screen as bars along its working time, for sessions that hardly branch. */
export function Timeline(props: TimelineProps) {
  const { layout, work, words, selected } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  const [measure] = useMeasure();
  const scrolled = useScrolled(frame);
  const { direction } = scrolled;
  const state = useTimeline({ ...props, zoom, scrolled });
  const { bars, placed } = state;
  const barOf = useMemo(
    () => new Map(bars.flatMap(({ parts }, bar) => parts.map((part) => [part, bar] as const))),
    [bars],
  );
  const cursor = barOf.get(selected) ?? -1;
  const mostCostNanoUsd = useMemo(() => highestCost(layout.skeleton), [layout.skeleton]);
  useShown(frame, direction, placed.at[cursor], placed.size[cursor]);

  const topOf = (bar: number) => {
    if (direction === "right") return Math.max(0, scrolled.height / 2 - 40);
    return (placed.at[bar] ?? 0) - scrolled.top;
  };
  const turnOf = (bar: number) => bars[bar]?.turn ?? -1;
  function handleKey(event: KeyboardEvent) {
    const action = timelineKey(event, cursor, bars.length, direction);
    if (!action) return;
    event.preventDefault();
    switch (action.do) {
      case "go":
        return props.onSelect(turnOf(action.bar));
      case "zoom":
        return setZoom((now) => Math.min(mostZoom, Math.max(1, now * action.factor)));
      case "fit":
        return setZoom(1);
      case "map":
        return void runCommand("show-map");
      case "view-turn":
        return props.onView(selected);
      case "continue-turn":
        return props.onContinue(selected);
      case "hoist":
        return props.onHoist(selected);
      case "label-turn":
        return props.onLabel(selected, topOf(cursor));
    }
  }
  const underMenu = useRef(-1);
  const menuEntries = () => {
    const bar = underMenu.current;
    props.onHover(null);
    if (bar < 0) return [];
    props.onSelect(turnOf(bar));
    return props.menuFor(turnOf(bar), topOf(bar));
  };
  const barAt = ({ target }: { target: EventTarget }) =>
    target instanceof Element
      ? Number(target.closest("[data-bar]")?.getAttribute("data-bar") ?? -1)
      : -1;
  const optionId = (bar: number) => `timeline-${turnOf(bar)}`;

  return (
    <div className="flex min-h-0 flex-1 flex-col" data-timeline={direction}>
      <TimelineHeader state={state} tree={layout.tree} total={layout.skeleton.count} />
      <ContextMenu entries={menuEntries}>
        <div
          ref={frame}
          role="listbox"
          // Time grows to the right in any language.
          dir={direction === "right" ? "ltr" : undefined}
          tabIndex={0}
          data-pane-focus
          aria-label={t("Timeline of the path")}
          aria-orientation={direction === "right" ? "horizontal" : "vertical"}
          aria-activedescendant={cursor >= 0 ? optionId(cursor) : undefined}
          className={clsx(
            "relative min-h-0 flex-1 -outline-offset-2",
            direction === "right"
              ? "overflow-x-auto overflow-y-hidden"
              : "overflow-y-auto overflow-x-hidden",
          )}
          onKeyDown={handleKey}
          onContextMenu={(event) => {
            underMenu.current = event.button === 2 ? barAt(event) : cursor;
          }}
          onPointerMove={(event) => {
            const bar = barAt(event);
            props.onHover(bar < 0 ? null : { turn: turnOf(bar), top: topOf(bar) });
          }}
          onPointerLeave={() => props.onHover(null)}
          onClick={(event) => {
            const bar = barAt(event);
            if (bar < 0) return;
            props.onSelect(turnOf(bar));
            props.onView(turnOf(bar));
          }}
          onDoubleClick={(event) => {
            const bar = barAt(event);
            if (bar >= 0) props.onContinue(turnOf(bar));
          }}
        >
          <TimelineBars
            {...{ state, words, work, layout, direction, measure, mostCostNanoUsd, optionId }}
            height={scrolled.height}
            found={props.found}
            cursor={cursor}
            reading={barOf.get(props.reading) ?? -1}
          />
        </div>
      </ContextMenu>
    </div>
  );
}

/** Scrolls a bar into sight when another one is selected. */
function useShown(
  frame: { current: HTMLElement | null },
  direction: "right" | "down",
  at: number | undefined,
  size: number | undefined,
): void {
  useEffect(() => {
    const element = frame.current;
    if (!element || at === undefined || size === undefined) return;
    const isWide = direction === "right";
    const [from, room] = isWide
      ? [element.scrollLeft, element.clientWidth]
      : [element.scrollTop, element.clientHeight];
    if (at >= from && at + size <= from + room) return;
    const to = Math.max(0, at - Math.max(0, room - size) / 2);
    element.scrollTo(isWide ? { left: to } : { top: to });
  }, [frame, direction, at, size]);
}
