// Ranges of days and the steps in which they are drawn.

import { dateOf, plusDays, type Range } from "@/lib/format/days";
import { type Message, msg } from "@/lib/i18n/i18n";

/** How many days later the second day is. */
export function daysBetween(first: string, last: string): number {
  return Math.round((dateOf(last).getTime() - dateOf(first).getTime()) / 86_400_000);
}

/** The names of ranges that end today. */
export type Preset = "7" | "30" | "90" | "365" | "all";

export const presets: readonly { name: Preset; title: Message }[] = [
  { name: "7", title: msg("7 days") },
  { name: "30", title: msg("30 days") },
  { name: "90", title: msg("90 days") },
  { name: "365", title: msg("12 months") },
  { name: "all", title: msg("All") },
];

/** The range of a preset; today is its last day. */
export function rangeOf(preset: Preset, today: string): Range {
  if (preset === "all") return { since: "", until: "" };
  return { since: plusDays(today, 1 - Number(preset)), until: today };
}

/** Monday is 0. */
export function weekdayOf(day: string): number {
  return (dateOf(day).getDay() + 6) % 7;
}

/** The number of days in a bar of the chart. */
export type Step = "day" | "week" | "month";

/** The widest step with enough bars to show a trend. */
export function stepOf(days: number): Step {
  if (days <= 120) return "day";
  return days <= 900 ? "week" : "month";
}

/** The first day of the step that a day is in. */
export function startOf(day: string, step: Step): string {
  if (step === "day") return day;
  return step === "week" ? plusDays(day, -weekdayOf(day)) : `${day.slice(0, 8)}01`;
}

/** Every step from the first day to the last, by its first day. */
export function stepsOf(first: string, last: string, step: Step): string[] {
  const steps: string[] = [];
  for (let day = startOf(first, step); day <= last; ) {
    steps.push(day);
    day =
      step === "month" ? startOf(plusDays(day, 31), step) : plusDays(day, step === "week" ? 7 : 1);
  }
  return steps;
}
