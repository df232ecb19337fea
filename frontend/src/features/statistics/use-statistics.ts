import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { api, type ChangeKind, onChanged, type StatisticsQuery } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { dayOf, type Range } from "@/lib/format/days";
import { useWindowState } from "@/lib/store/window-state";
import { type Preset, presets, rangeOf } from "./days";
import type { Measure } from "./measures";

/** What days are split by. */
export type Split = "model" | "source" | "workspace";

/** The settings of the page; stored by the window. */
export interface StatisticsView {
  preset: Preset;
  /** One day instead of the preset; empty: none. */
  day: string;
  source: string;
  workspace: string;
  model: string;
  /** Empty: the measure with the most known values. */
  measure: Measure | "";
  split: Split;
}

export const wholeView: StatisticsView = {
  preset: "30",
  day: "",
  source: "",
  workspace: "",
  model: "",
  measure: "",
  split: "model",
};

/** The stored settings, with missing or invalid values replaced. A day is not stored. */
function readView(kept: Partial<StatisticsView>): StatisticsView {
  const view = { ...wholeView, ...kept };
  const texts = [view.day, view.source, view.workspace, view.model, view.measure];
  const isSound =
    presets.some(({ name }) => name === view.preset) &&
    texts.every((text) => typeof text === "string");
  return isSound ? view : wholeView;
}

/** The range of the view. */
export function shownRange(view: StatisticsView, today: string): Range {
  return view.day ? { since: view.day, until: view.day } : rangeOf(view.preset, today);
}

/** The view as an argument for Go. */
function toQuery(view: StatisticsView, today: string): StatisticsQuery {
  return {
    ...shownRange(view, today),
    sources: view.source ? [view.source] : [],
    workspace: view.workspace,
    model: view.model,
    split: view.split,
  };
}

/** The page's view and a function to change it. */
export function useStatisticsView(): [StatisticsView, (part: Partial<StatisticsView>) => void] {
  const [kept, setKept] = useWindowState<Partial<StatisticsView>>("statistics", wholeView);
  const view = useMemo(() => readView(kept), [kept]);
  return [view, (part) => setKept((now) => ({ ...readView(now), ...part }))];
}

/** An import changes the library many times a second; the page is updated at this interval. */
const pauseMs = 2000;

/** The changes that change sums. */
const counted = new Set<ChangeKind>(["list", "session", "messages", "trash"]);

/** The statistics of a view. The previous ones stay until the new ones arrive. */
export function useStatistics(view: StatisticsView) {
  const client = useQueryClient();
  const today = dayOf(new Date());
  const query = toQuery(view, today);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const disconnect = onChanged(({ kinds }) => {
      if (!kinds.some((kind) => counted.has(kind))) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries({ queryKey: keys.statistics() });
      }, pauseMs);
    });
    return () => {
      disconnect();
      clearTimeout(timer);
    };
  }, [client]);
  const statistics = useQuery({
    queryKey: keys.statistics(query),
    queryFn: () => api.getStatistics(query),
    // Changes since the page was closed.
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  return { ...statistics, query, today };
}
