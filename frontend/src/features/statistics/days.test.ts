import { expect, test } from "vitest";
import { plusDays } from "@/lib/format/days";
import { daysBetween, rangeOf, startOf, stepOf, stepsOf, weekdayOf } from "./days";

test("days are counted over months, leap days and changes of the clock", () => {
  expect(plusDays("2024-02-28", 1)).toBe("2024-02-29");
  expect(plusDays("2026-01-01", -1)).toBe("2025-12-31");
  expect(daysBetween("2026-03-01", "2026-04-01")).toBe(31);
  expect(weekdayOf("2026-11-16")).toBe(0);
  expect(weekdayOf("2026-11-22")).toBe(6);
});

test("a preset ends today, and all has no ends", () => {
  expect(rangeOf("7", "2026-11-21")).toEqual({ since: "2026-11-15", until: "2026-11-21" });
  expect(rangeOf("all", "2026-11-21")).toEqual({ since: "", until: "" });
});

test("a longer time is drawn by longer steps", () => {
  expect([30, 365, 2000].map(stepOf)).toEqual(["day", "week", "month"]);
  expect(startOf("2026-11-21", "week")).toBe("2026-11-16");
  expect(stepsOf("2026-11-20", "2026-11-22", "day")).toEqual([
    "2026-11-20",
    "2026-11-21",
    "2026-11-22",
  ]);
  expect(stepsOf("2026-11-15", "2026-11-23", "week")).toEqual([
    "2026-11-09",
    "2026-11-16",
    "2026-11-23",
  ]);
  expect(stepsOf("2025-12-31", "2026-02-01", "month")).toEqual([
    "2025-12-01",
    "2026-01-01",
    "2026-02-01",
  ]);
});
