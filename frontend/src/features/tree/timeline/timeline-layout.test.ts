import { expect, test } from "vitest";
import {
  axisTexts,
  barsBetween,
  beginsDay,
  layOutTimeline,
  type TimelineSpan,
} from "./timeline-layout";

const minute = 60_000;
const room = { length: 400, leastBar: 10, leastBreak: 30, zoom: 1 };
/** Turns that worked so many minutes each, with pauses of so many minutes before them. */
function spansOf(...turns: [pause: number, worked: number][]): TimelineSpan[] {
  let now = Date.UTC(2026, 10, 23, 9);
  return turns.map(([pause, worked]) => {
    const startedMs = now + pause * minute;
    now = startedMs + worked * minute;
    return { startedMs, endedMs: now, workedMs: worked * minute };
  });
}

test("bars are as long as their turns worked, and fill what is in sight", () => {
  const { at, size, length } = layOutTimeline(spansOf([0, 10], [1, 20], [2, 5]), room);
  expect(length).toBeCloseTo(400, 0);
  expect((size[1] as number) / (size[0] as number)).toBeCloseTo(2);
  expect(at[1]).toBeCloseTo(16 + (size[0] as number) + 3);
});

test("a short turn stays visible beside a long one", () => {
  const { size, length } = layOutTimeline(spansOf([0, 0], [0, 500], [0, 1]), room);
  expect([...size].map(Math.round)).toEqual([10, 342, 10]);
  expect(length).toBeCloseTo(400, 0);
});

test("pauses are breaks whose length grows little with them; short ones are none", () => {
  const spans = spansOf([0, 5], [10, 5], [30, 5], [300, 5], [900, 5]);
  const { at, size, idleMs } = layOutTimeline(spans, room);
  const gaps = spans
    .map((_, bar) => (at[bar] as number) - (at[bar - 1] ?? 0) - (size[bar - 1] ?? 0))
    .slice(1);
  expect(gaps.map(Math.round)).toEqual([3, 30, 38, 45]);
  expect([...idleMs].map((ms) => ms / minute)).toEqual([0, 0, 30, 300, 900]);
});

test("times that are unknown or go backwards are no pause", () => {
  const spans = [
    { startedMs: 0, endedMs: 0, workedMs: 0 },
    { startedMs: 9e12, endedMs: 9e12, workedMs: 0 },
    { startedMs: 1e12, endedMs: 1e12, workedMs: 0 },
  ];
  expect([...layOutTimeline(spans, room).idleMs]).toEqual([0, 0, 0]);
});

test("more turns than there is room for run beyond what is in sight", () => {
  const spans = spansOf(...Array.from({ length: 1000 }, (): [number, number] => [0, 3]));
  const { size, length } = layOutTimeline(spans, room);
  expect(Math.min(...size)).toBe(20);
  expect(length).toBeGreaterThan(20_000);
  expect(layOutTimeline(spans, { ...room, zoom: 2 }).length).toBeGreaterThan(1.5 * length);
});

test("finds the bars in sight", () => {
  const layout = layOutTimeline(spansOf([0, 3], [0, 3], [0, 3], [0, 3]), room);
  expect(barsBetween(layout, 0, 400)).toEqual({ first: 0, last: 4 });
  expect(barsBetween(layout, layout.at[2] as number, layout.at[2] as number)).toEqual({
    first: 2,
    last: 3,
  });
});

test("texts on the axis do not overlap", () => {
  const layout = layOutTimeline(spansOf([0, 9], [0, 1], [0, 1], [0, 9]), room);
  const texts = axisTexts(layout, { first: 0, last: 4 }, 90);
  expect(texts.map(({ bar }) => bar)).toEqual([0, 1]);
});

test("a day begins where the date changes", () => {
  const spans = spansOf([0, 5], [60, 5], [24 * 60, 5]);
  expect(spans.map((_, bar) => beginsDay(spans, bar))).toEqual([true, false, true]);
});
