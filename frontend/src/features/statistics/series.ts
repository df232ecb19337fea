import type { Range } from "@/lib/format/days";
// The bars of the chart: days added up to steps, and values grouped into the largest and the others.

import type { StatisticsCell, StatisticsGroup } from "@/lib/api/api";
import { daysBetween, type Step, startOf, stepOf, stepsOf } from "./days";
import { amountOf, counted, type Measure } from "./measures";

/** The number of values with a color of their own; the others share one. */
export const mostValues = 6;
/** The key of the others. */
export const others = "\u0000others";

/** The data of a step: its first day and the height of each value's segment. */
export interface Bar {
  day: string;
  parts: Record<string, number>;
  total: number;
  /** A part of its cost is unknown. */
  isOpen: boolean;
}

export interface Series {
  step: Step;
  /** The values with a color, the largest first; the others come last. */
  values: string[];
  bars: Bar[];
}

interface Chart {
  range: Range;
  today: string;
  measure: Measure;
  days: readonly StatisticsGroup[];
  cells: readonly StatisticsCell[];
}

/** The bars of a range; of one value each if there are no cells. */
export function seriesOf({ range, today, measure, days, cells }: Chart): Series {
  const first = range.since || (days[0]?.key ?? today);
  const last = range.until || (days.at(-1)?.key ?? today);
  const step = stepOf(daysBetween(first, last) + 1);
  const bars = new Map<string, Bar>(
    stepsOf(first, last, step).map((day) => [day, { day, parts: {}, total: 0, isOpen: false }]),
  );
  const pieces =
    cells.length > 0 ? cells : days.map((day) => ({ ...counted(day), day: day.key, key: "" }));
  const sizes = new Map<string, number>();
  for (const piece of pieces)
    sizes.set(piece.key, (sizes.get(piece.key) ?? 0) + amountOf(piece, measure));
  const ranked = [...sizes].sort((a, b) => b[1] - a[1]).map(([key]) => key);
  const shown = ranked.length <= mostValues + 1 ? ranked : ranked.slice(0, mostValues);
  const isShown = new Set(shown);
  for (const piece of pieces) {
    const bar = bars.get(startOf(piece.day, step));
    if (!bar) continue;
    const key = isShown.has(piece.key) ? piece.key : others;
    const value = amountOf(piece, measure);
    bar.parts[key] = (bar.parts[key] ?? 0) + value;
    bar.total += value;
    bar.isOpen ||= piece.unpriced > 0;
  }
  const values = ranked.length > shown.length ? [...shown, others] : shown;
  return { step, values, bars: [...bars.values()] };
}

const colors = [
  "var(--accent)",
  "var(--lane-1)",
  "var(--lane-2)",
  "var(--lane-3)",
  "var(--lane-5)",
  "var(--lane-4)",
  "var(--lane-6)",
];

/** The color of the value at an index. */
export function colorOf(value: string, index: number): string {
  return value === others ? "var(--lane-7)" : (colors[index] ?? "var(--lane-7)");
}
