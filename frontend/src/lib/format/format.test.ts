import { describe, expect, test } from "vitest";
import {
  baseName,
  formatAge,
  formatBytes,
  formatCost,
  formatDay,
  formatDuration,
  formatPlural,
  formatTokens,
} from "./format";

describe("costs", () => {
  test.each([
    [undefined, ""],
    [null, ""],
    [0, "$0"],
    [1, "<$0.001"],
    [999_999, "<$0.001"],
    [12_400_000, "$0.012"],
    [99_000_000, "$0.099"],
    [610_000_000, "$0.61"],
    [1_204_500_000_000, "$1,205"],
  ])("%s nano-dollars are %j", (nano, words) => {
    expect(formatCost(nano)).toBe(words);
  });
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [999.6, "1 kB"],
  [12_400_000, "12.4 MB"],
  [412_300_000, "412 MB"],
  [60e9, "60 GB"],
])("%s bytes are %j", (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});

test.each([
  [0, ""],
  [99, ""],
  [1_040, "1.0 s"],
  [300, "0.3 s"],
  [9_960, "10 s"],
  [59_600, "1 min"],
  [130_000, "2 min 10 s"],
  [3_600_000, "1 h"],
  [11_100_000, "3 h 5 min"],
])("%s ms are %j", (ms, words) => {
  expect(formatDuration(ms)).toBe(words);
});

test("tokens and plurals", () => {
  expect(formatTokens(1204)).toBe("1,204 tok");
  expect(formatTokens(2_340_000)).toBe("2.3M tok");
  expect(formatPlural(1, "branch", "branches")).toBe("1 branch");
  expect(formatPlural(1204, "message")).toBe("1,204 messages");
});

const hour = 3_600_000;

test.each([
  [-5000, "now"],
  [59_000, "now"],
  [3 * 60_000, "3 min"],
  [35 * hour, "35 h"],
  [37 * hour, "1 d"],
  [100 * 24 * hour, "3 mo"],
  [800 * 24 * hour, "2 y"],
])("%s ms ago is %j", (age, words) => {
  const now = Date.UTC(2026, 10, 21);
  expect(formatAge(now - age, now)).toBe(words);
});

describe("days", () => {
  const now = new Date(2026, 10, 21, 0, 30).getTime();
  test.each([
    [new Date(2026, 10, 21, 0, 1), "Today"],
    [new Date(2026, 10, 22, 9), "Today"],
    [new Date(2026, 10, 20, 23, 59), "Yesterday"],
    [new Date(2026, 10, 16, 12), "Monday"],
    [new Date(2026, 10, 14, 12), "November 14"],
    [new Date(2025, 11, 31, 12), "December 31, 2025"],
  ])("%s is %j", (date, words) => {
    expect(formatDay(date.getTime(), now)).toBe(words);
  });
});

test.each([
  ["/home/ada/auth", "auth"],
  ["/home/ada/auth/", "auth"],
  ["C:\\src\\auth", "auth"],
  ["/", "/"],
  ["", ""],
])("the last name of %j is %j", (path, name) => {
  expect(baseName(path)).toBe(name);
});
