import { type RefObject, useEffect, useLayoutEffect, useMemo, useState } from "react";
import { onResize } from "@/lib/browser/on-resize";
import { useStore } from "@/lib/store/store";
import type { PathEnds } from "../layout/path-ends";
import type { TreeLayout } from "../layout/use-layout";
import type { TurnWords } from "../turn/turn-words";
import type { TurnWork } from "../turn/turn-work";
import { barsOf } from "./timeline-bars";
import { spanOf } from "./timeline-facts";
import { barsBetween, layOutTimeline } from "./timeline-layout";

/** Where the timeline grows to: right in a wide pane, down in a tall one, where words stand beside the bars. */
export type Direction = "right" | "down";

/** So much wider than tall is a pane whose timeline grows right. */
const wideRatio = 1.15;
/** Beyond what is in sight so much more is drawn, so that scrolling does not uncover an empty range. */
const margin = 400;
const leastSizes = {
  right: { leastBar: 10, leastBreak: 44 },
  down: { leastBar: 24, leastBreak: 26 },
};

/** The size of an element, and how far it is scrolled, in its own pixels. */
export function useScrolled(of: RefObject<HTMLElement | null>) {
  const [now, setNow] = useState({ width: 0, height: 0, left: 0, top: 0 });
  useLayoutEffect(() => {
    const element = of.current;
    if (!element) return;
    const read = () =>
      setNow({
        width: element.clientWidth,
        height: element.clientHeight,
        left: element.scrollLeft,
        top: element.scrollTop,
      });
    const forget = onResize(element, read);
    element.addEventListener("scroll", read, { passive: true });
    return () => {
      forget();
      element.removeEventListener("scroll", read);
    };
  }, [of]);
  const direction: Direction = now.width > wideRatio * now.height ? "right" : "down";
  return { ...now, direction };
}

interface Shown {
  layout: TreeLayout;
  path: PathEnds;
  words: TurnWords;
  work: TurnWork;
  zoom: number;
  scrolled: ReturnType<typeof useScrolled>;
}

/** The bars of the path on screen and where they are; asks for what those in sight show. */
export function useTimeline({ layout, path, words, work, zoom, scrolled }: Shown) {
  const { tree, skeleton, strands } = layout;
  const { direction } = scrolled;
  const bars = useMemo(() => barsOf(skeleton, strands, path), [skeleton, strands, path]);
  const timesRead = useStore(work.efforts.version, (version) => version);
  useStore(work.works.version, (version) => version);
  useStore(words.version, (version) => version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the times are in `work`, which stays the same object
  const spans = useMemo(
    () => bars.map((bar) => spanOf(tree, work, bar)),
    [bars, tree, work, timesRead],
  );
  const length = direction === "right" ? scrolled.width : scrolled.height;
  const placed = useMemo(
    () => layOutTimeline(spans, { ...leastSizes[direction], length, zoom }),
    [spans, direction, length, zoom],
  );
  const from = direction === "right" ? scrolled.left : scrolled.top;
  const inSight = barsBetween(placed, from - margin, from + length + margin);
  useEffect(() => {
    work.efforts.want(bars.flatMap(({ parts }) => parts));
  }, [work, bars]);
  useEffect(() => {
    const parts = bars.slice(inSight.first, inSight.last).flatMap((bar) => bar.parts);
    words.want(parts);
    work.works.want(parts);
  }, [words, work, bars, inSight.first, inSight.last]);
  return { bars, spans, placed, inSight };
}

export type TimelineState = ReturnType<typeof useTimeline>;
