// Days as Go writes them, "2026-03-02", and ranges of them. A day has no time zone except the user's own.

/** A range of days, both ends included; empty: open. */
export interface Range {
  since: string;
  until: string;
}

/** Returns the day of a date in the user's time zone. */
export function dayOf(date: Date): string {
  const pad = (part: number, width: number) => String(part).padStart(width, "0");
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1, 2)}-${pad(date.getDate(), 2)}`;
}

/** Returns noon of a day, which exists on every clock. */
export function dateOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date, 12);
}

/** Returns the day a number of days later. */
export function plusDays(day: string, days: number): string {
  const date = dateOf(day);
  date.setDate(date.getDate() + days);
  return dayOf(date);
}

/** Returns the start of a day in the user's time zone. */
export function startMs(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date).getTime();
}
