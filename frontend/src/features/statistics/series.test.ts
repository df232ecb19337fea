import { expect, test } from "vitest";
import type { StatisticsCell, StatisticsGroup } from "@/lib/api/api";
import { mostValues, others, seriesOf } from "./series";

const cell = (day: string, key: string, tokens: number): StatisticsCell => ({
  day,
  key,
  sessions: 1,
  tokens,
  steps: 1,
  unpriced: 1,
  unestimated: 1,
});
const group = (key: string, inputTokens: number): StatisticsGroup => ({
  key,
  sessions: 1,
  messages: 2,
  steps: 1,
  unmetered: 0,
  unpriced: 0,
  unestimated: 0,
  inputTokens,
  outputTokens: 1,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  costNanoUsd: 5e8,
});
const month = { since: "2026-11-01", until: "2026-11-30" };

test("every day of the range has a bar, also one without work", () => {
  const days = [group("2026-11-03", 9)];
  const { bars, step } = seriesOf({ range: month, today: "", measure: "tokens", days, cells: [] });
  expect(step).toBe("day");
  expect(bars).toHaveLength(30);
  expect(bars.filter(({ total }) => total > 0).map(({ day, total }) => [day, total])).toEqual([
    ["2026-11-03", 10],
  ]);
});

test("the largest values keep a color, the others are one", () => {
  const cells = Array.from({ length: 12 }, (_, i) => cell("2026-11-03", `model ${i}`, 100 - i));
  const { values, bars } = seriesOf({
    range: month,
    today: "",
    measure: "tokens",
    days: [],
    cells,
  });
  expect(values).toHaveLength(mostValues + 1);
  expect(values[0]).toBe("model 0");
  expect(values.at(-1)).toBe(others);
  const sum = cells.reduce((sum, { tokens }) => sum + tokens, 0);
  const bar = bars.find(({ day }) => day === "2026-11-03");
  expect(bar?.total).toBe(sum);
  expect(Object.values(bar?.parts ?? {}).reduce((a, b) => a + b)).toBe(sum);
});

test("a cost that is not known has no height, and the bar marks it", () => {
  const cells = [
    cell("2026-11-03", "a", 5),
    { ...cell("2026-11-04", "a", 5), unpriced: 0, costNanoUsd: 2e9 },
  ];
  const { bars } = seriesOf({ range: month, today: "", measure: "cost", days: [], cells });
  expect(bars.slice(2, 4).map(({ total, isOpen }) => [total, isOpen])).toEqual([
    [0, true],
    [2, false],
  ]);
});
