// Formats of numbers and dates in the user's locale. They are created once: creating one is a thousand times slower than using it.

type Format = Intl.NumberFormat | Intl.DateTimeFormat | Intl.ListFormat;

const formats = new Map<string, Format>();
let locale = "en-US";

/** Sets the locale of all that is formatted from now on. */
export function setLocale(next: string): void {
  if (next === locale) return;
  locale = next;
  formats.clear();
}

/** The locale of numbers and dates. */
export function currentLocale(): string {
  return locale;
}

function cached<One extends Format>(name: string, create: () => One): One {
  let format = formats.get(name) as One | undefined;
  if (!format) {
    format = create();
    formats.set(name, format);
  }
  return format;
}

/** 1,204 */
export function formatInteger(value: number): string {
  return cached("integer", () => new Intl.NumberFormat(locale)).format(value);
}

/** A number with exactly so many decimals: "0.30". */
export function formatFixed(value: number, digits: number): string {
  return cached(
    `fixed ${digits}`,
    () =>
      new Intl.NumberFormat(locale, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }),
  ).format(value);
}

/** A number with at most so many decimals: "0.3". */
export function formatUpTo(value: number, digits: number): string {
  return cached(
    `up to ${digits}`,
    () => new Intl.NumberFormat(locale, { maximumFractionDigits: digits }),
  ).format(value);
}

/** An amount of US dollars with so many decimals: "$0.012". */
export function formatUsd(value: number, digits: number): string {
  return cached(
    `usd ${digits}`,
    () =>
      new Intl.NumberFormat(locale, {
        style: "currency",
        currency: "USD",
        currencyDisplay: "narrowSymbol",
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }),
  ).format(value);
}

/** "12.4K", "1.2M" */
export function formatCompact(value: number): string {
  return cached(
    "compact",
    () => new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 }),
  ).format(value);
}

/** "a, b or c" */
export function formatOr(names: readonly string[]): string {
  return cached("or", () => new Intl.ListFormat(locale, { type: "disjunction" })).format(names);
}

const dateStyles = {
  exact: {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  },
  clock: { hour: "2-digit", minute: "2-digit" },
  weekday: { weekday: "long" },
  "day of year": { day: "numeric", month: "long" },
  "day and year": { day: "numeric", month: "long", year: "numeric" },
  "day in words": { weekday: "short", day: "numeric", month: "short", year: "numeric" },
  "short day": { day: "numeric", month: "short" },
  month: { month: "short" },
  "month and year": { month: "short", year: "numeric" },
  "short weekday": { weekday: "short" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** A date in one of the window's styles, in the user's locale and time zone. */
export function formatDateAs(style: keyof typeof dateStyles, date: number | Date): string {
  return cached(style, () => new Intl.DateTimeFormat(locale, dateStyles[style])).format(date);
}
