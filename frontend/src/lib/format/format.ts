// Numbers and times for users, in their locale and time zone.

// Created once: creating a formatter is a thousand times slower than using it.
// Without a language (LANG=C) the locale is one for machines, which does not group digits.
const system = Intl.NumberFormat().resolvedOptions().locale;
const locale = system.includes("posix") ? "en-US" : system;

const integer = new Intl.NumberFormat(locale);
// Created once: creating a format takes longer than everything else that a row of numbers needs.
const withDecimals = [0, 1, 2, 3].map(
  (digits) =>
    new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
);
const upToDecimals = [0, 1].map(
  (digits) => new Intl.NumberFormat(locale, { maximumFractionDigits: digits }),
);
const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });

const exact = new Intl.DateTimeFormat(locale, {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});
const clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
const weekday = new Intl.DateTimeFormat(locale, { weekday: "long" });
const dayOfYear = new Intl.DateTimeFormat(locale, { day: "numeric", month: "long" });
const dayInWords = new Intl.DateTimeFormat(locale, {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
});
const dayShort = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
const monthShort = new Intl.DateTimeFormat(locale, { month: "short" });
const monthAndYear = new Intl.DateTimeFormat(locale, { month: "short", year: "numeric" });
const dayAndYear = new Intl.DateTimeFormat(locale, {
  day: "numeric",
  month: "long",
  year: "numeric",
});

/** 1,204 */
export function formatCount(count: number): string {
  return integer.format(count);
}

/** "1,204"; from ten thousand on "12.4K", "1.2M". */
export function formatAmount(amount: number): string {
  return amount >= 10_000 ? compact.format(amount) : integer.format(amount);
}

/** "1 message", "1,204 messages"; the plural is the singular with an s unless given. */
export function formatPlural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** "1,204 tok"; from a million on "1.2M tok". */
export function formatTokens(tokens: number): string {
  return `${tokens >= 1_000_000 ? compact.format(tokens) : integer.format(tokens)} tok`;
}

/** Formats nano-dollars: "$0.012", "$1.20", "$1,204"; "<$0.001" for less; empty if the cost is unknown. */
export function formatCost(nanoUsd: number | null | undefined): string {
  if (nanoUsd === null || nanoUsd === undefined) return "";
  const usd = nanoUsd / 1e9;
  if (usd === 0) return "$0";
  if (usd < 0.001) return "<$0.001";
  const digits = usd < 0.1 ? 3 : usd < 1000 ? 2 : 0;
  return `$${withDecimals[digits]?.format(usd)}`;
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
  return `${upToDecimals[digits]?.format(value)} ${units[unit]}`;
}

/**
 * "0.3 s", "42 s", "2 min 10 s", "3 h 5 min". It is empty for less than a tenth of a second, or if the
 * duration was not measured.
 */
export function formatDuration(ms: number): string {
  if (ms < 100) return "";
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${(Math.round(seconds * 10) / 10).toFixed(1)} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  const rest = Math.round(seconds) % 60;
  if (minutes < 60) return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago, short: "now", "3 min", "2 h", "4 d", "3 mo", "2 y". */
export function formatAge(atMs: number, nowMs = Date.now()): string {
  const age = nowMs - atMs;
  if (age < minute) return "now";
  if (age < hour) return `${Math.floor(age / minute)} min`;
  if (age < 36 * hour) return `${Math.floor(age / hour)} h`;
  if (age < 60 * day) return `${Math.floor(age / day)} d`;
  if (age < 730 * day) return `${Math.floor(age / (30.44 * day))} mo`;
  return `${Math.floor(age / (365.25 * day))} y`;
}

/** The exact time, for tooltips: "Tue, 21 Nov 2026, 09:12:31". */
export function formatExact(atMs: number): string {
  if (atMs === 0) return "time unknown";
  return exact.format(atMs);
}

/** The time of day: "09:12". */
export function formatClock(atMs: number): string {
  return clock.format(atMs);
}

function startOfDay(atMs: number): number {
  return new Date(atMs).setHours(0, 0, 0, 0);
}

/** The heading of a day: Today, Yesterday, a weekday of the last six days, otherwise the date (with the year if it is another). */
export function formatDay(atMs: number, nowMs = Date.now()): string {
  // Rounded, because a day on which the clocks change has 23 or 25 hours.
  const daysAgo = Math.round((startOfDay(nowMs) - startOfDay(atMs)) / day);
  if (daysAgo <= 0) return "Today";
  if (daysAgo === 1) return "Yesterday";
  if (daysAgo < 7) return weekday.format(atMs);
  const sameYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
  return (sameYear ? dayOfYear : dayAndYear).format(atMs);
}

/** A day: "Mon, 2 Mar 2026". */
export function formatDate(date: Date): string {
  return dayInWords.format(date);
}

/** A day in short form: "2 Mar". */
export function formatShortDate(date: Date): string {
  return dayShort.format(date);
}

/** "Mar", or with its year "Mar 2026". */
export function formatMonth(date: Date, withYear = false): string {
  return (withYear ? monthAndYear : monthShort).format(date);
}

/** The last name of a path: "auth" of "/home/you/auth". */
export function baseName(path: string): string {
  return path.replace(/[/\\]+$/, "").match(/[^/\\]+$/)?.[0] ?? path;
}
