// Days as Go writes them, "2026-03-02", and ranges of them. A day is no moment: nothing here knows a time zone but the person's own.

/** A stretch of days, both ends included; empty: open. */
export interface Range {
  since: string;
  until: string;
}

/** The day that a date of the person's zone is on. */
export function dayOf(date: Date): string {
  const pad = (part: number, width: number) => String(part).padStart(width, "0");
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1, 2)}-${pad(date.getDate(), 2)}`;
}

/** Noon of a day, which every clock has. */
export function dateOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date, 12);
}

/** The day so many days later. */
export function plusDays(day: string, days: number): string {
  const date = dateOf(day);
  date.setDate(date.getDate() + days);
  return dayOf(date);
}

/** When a day begins by the person's clocks. */
export function startMs(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date).getTime();
}
