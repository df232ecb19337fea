// Numbers and times for users, in their language, locale and time zone.

import { pluralOf, t } from "@/lib/i18n/i18n";
import {
  formatCompact,
  formatDateAs,
  formatFixed,
  formatInteger,
  formatUpTo,
  formatUsd,
} from "@/lib/i18n/intl";

/** 1,204 */
export function formatCount(count: number): string {
  return formatInteger(count);
}

/** "1,204"; from ten thousand on "12.4K", "1.2M". */
export function formatAmount(amount: number): string {
  return amount >= 10_000 ? formatCompact(amount) : formatInteger(amount);
}

/**
 * "1 message", "1,204 messages"; the plural is the singular with an s unless given. Both must be in the sources as they are, for the
 * catalogues.
 */
export function formatPlural(count: number, one: string, many = `${one}s`): string {
  return pluralOf(count, `{{count}} ${one}`, `{{count}} ${many}`);
}

/** "1,204 tok"; from a million on "1.2M tok". */
export function formatTokens(tokens: number): string {
  const amount = tokens >= 1_000_000 ? formatCompact(tokens) : formatInteger(tokens);
  return t("{{amount}} tok", { amount });
}

/** Formats nano-dollars: "$0.012", "$1.20", "$1,204"; "<$0.001" for less; empty if the cost is unknown. */
export function formatCost(nanoUsd: number | null | undefined): string {
  if (nanoUsd === null || nanoUsd === undefined) return "";
  const usd = nanoUsd / 1e9;
  if (usd === 0) return formatUsd(0, 0);
  if (usd < 0.001) return `<${formatUsd(0.001, 3)}`;
  const digits = usd < 0.1 ? 3 : usd < 1000 ? 2 : 0;
  return formatUsd(usd, digits);
}

/** Formats a cost at list price: "≈ $4.12"; "≈ $4.12+" if a part of it is unknown; empty if none of it is known. */
export function formatEstimate(nanoUsd: number | null | undefined, isPartial: boolean): string {
  const cost = formatCost(nanoUsd);
  return cost && `≈ ${cost}${isPartial ? "+" : ""}`;
}

/** "412 B", "12.4 MB"; decimal units. */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit > 0 && value < 99.95 ? 1 : 0;
  return `${formatUpTo(value, digits)} ${units[unit]}`;
}

/**
 * "0.3 s", "42 s", "2 min 10 s", "3 h 5 min". It is empty for less than a tenth of a second, or if the
 * duration was not measured.
 */
export function formatDuration(ms: number): string {
  if (ms < 100) return "";
  const seconds = ms / 1000;
  if (seconds < 9.95) return t("{{seconds}} s", { seconds: formatFixed(seconds, 1) });
  if (seconds < 59.5) return t("{{seconds}} s", { seconds: Math.round(seconds) });
  const minutes = Math.floor(Math.round(seconds) / 60);
  const rest = Math.round(seconds) % 60;
  if (minutes < 60 && rest === 0) return t("{{minutes}} min", { minutes });
  if (minutes < 60) return t("{{minutes}} min {{seconds}} s", { minutes, seconds: rest });
  const hours = Math.floor(minutes / 60);
  if (minutes % 60 === 0) return t("{{hours}} h", { hours });
  return t("{{hours}} h {{minutes}} min", { hours, minutes: minutes % 60 });
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago, short: "now", "3 min", "2 h", "4 d", "3 mo", "2 y". */
export function formatAge(atMs: number, nowMs = Date.now()): string {
  const age = nowMs - atMs;
  if (age < minute) return t("now");
  if (age < hour) return t("{{minutes}} min", { minutes: Math.floor(age / minute) });
  if (age < 36 * hour) return t("{{hours}} h", { hours: Math.floor(age / hour) });
  if (age < 60 * day) return t("{{days}} d", { days: Math.floor(age / day) });
  if (age < 730 * day) return t("{{months}} mo", { months: Math.floor(age / (30.44 * day)) });
  return t("{{years}} y", { years: Math.floor(age / (365.25 * day)) });
}

/** The exact time, for tooltips: "Tue, 21 Nov 2026, 09:12:31". */
export function formatExact(atMs: number): string {
  if (atMs === 0) return t("time unknown");
  return formatDateAs("exact", atMs);
}

/** The time of day: "09:12". */
export function formatClock(atMs: number): string {
  return formatDateAs("clock", atMs);
}

function startOfDay(atMs: number): number {
  return new Date(atMs).setHours(0, 0, 0, 0);
}

/** The heading of a day: Today, Yesterday, a weekday of the last six days, otherwise the date (with the year if it is another). */
export function formatDay(atMs: number, nowMs = Date.now()): string {
  // Rounded, because a day on which the clocks change has 23 or 25 hours.
  const daysAgo = Math.round((startOfDay(nowMs) - startOfDay(atMs)) / day);
  if (daysAgo <= 0) return t("Today");
  if (daysAgo === 1) return t("Yesterday");
  if (daysAgo < 7) return formatDateAs("weekday", atMs);
  const sameYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
  return formatDateAs(sameYear ? "day of year" : "day and year", atMs);
}

/** A day: "Mon, 2 Mar 2026". */
export function formatDate(date: Date): string {
  return formatDateAs("day in words", date);
}

/** A day in short form: "2 Mar". */
export function formatShortDate(date: Date): string {
  return formatDateAs("short day", date);
}

/** "Mar", or with its year "Mar 2026". */
export function formatMonth(date: Date, withYear = false): string {
  return formatDateAs(withYear ? "month and year" : "month", date);
}

/** The last name of a path: "auth" of "/home/you/auth". */
export function baseName(path: string): string {
  return path.replace(/[/\\]+$/, "").match(/[^/\\]+$/)?.[0] ?? path;
}
