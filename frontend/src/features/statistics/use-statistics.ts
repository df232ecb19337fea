import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { api, onChanged, type StatisticsQuery } from "@/lib/api";
import { dayOf, type Range } from "@/lib/days";
import { keys } from "@/lib/query";
import { useWindowState } from "@/lib/window-state";
import { type Preset, presets, rangeOf } from "./days";
import type { Measure } from "./measures";

/** What days are split by. */
export type Split = "model" | "source" | "workspace";

/** What the page shows, as a person set it; remembered by the window. */
export interface StatisticsView {
  preset: Preset;
  /** One day in the place of the preset; empty: none. */
  day: string;
  source: string;
  workspace: string;
  model: string;
  /** Empty: what is known best. */
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

/** What was remembered, with what is missing or of another shape filled in. A day is not remembered. */
export function readView(kept: Partial<StatisticsView>): StatisticsView {
  const view = { ...wholeView, ...kept };
  const texts = [view.day, view.source, view.workspace, view.model, view.measure];
  const isSound =
    presets.some(({ name }) => name === view.preset) &&
    texts.every((text) => typeof text === "string");
  return isSound ? view : wholeView;
}

/** The view's range. */
export function shownRange(view: StatisticsView, today: string): Range {
  return view.day ? { since: view.day, until: view.day } : rangeOf(view.preset, today);
}

/** The view in the terms of Go. */
export function toQuery(view: StatisticsView, today: string): StatisticsQuery {
  return {
    ...shownRange(view, today),
    sources: view.source ? [view.source] : [],
    workspace: view.workspace,
    model: view.model,
    split: view.split,
  };
}

/** The page's view and the way to change it. */
export function useStatisticsView(): [StatisticsView, (part: Partial<StatisticsView>) => void] {
  const [kept, setKept] = useWindowState<Partial<StatisticsView>>("statistics", wholeView);
  const view = useMemo(() => readView(kept), [kept]);
  return [view, (part) => setKept((now) => ({ ...readView(now), ...part }))];
}

/** An import changes the library many times a second; the page follows this often. */
const pauseMs = 2000;

/** The statistics of a view. What was there before stays until the new ones come. */
export function useStatistics(view: StatisticsView) {
  const client = useQueryClient();
  const today = dayOf(new Date());
  const query = toQuery(view, today);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const disconnect = onChanged((changed) => {
      if (changed !== "library") return;
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
    // What has changed while the page was closed.
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  return { ...statistics, query, today };
}
