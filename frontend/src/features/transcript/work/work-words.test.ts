import { describe, expect, it } from "vitest";
import type { Phase, Work } from "@/lib/api/api";
import { amountOf, itemName, restOf, sharesOf, troublesOf, workedFor } from "./work-words";

const phase = (kind: string, more: Partial<Phase> = {}): Phase => ({
  kind,
  workedMs: 0,
  calls: 1,
  searches: 0,
  failed: 0,
  items: [],
  omitted: 0,
  ...more,
});

const work = (more: Partial<Work> = {}): Work => ({
  workedMs: 0,
  steps: 1,
  calls: 0,
  files: 0,
  added: 0,
  removed: 0,
  failed: 0,
  denied: 0,
  interrupted: 0,
  failedMs: 0,
  compactions: 0,
  commits: [],
  phases: [],
  partial: false,
  ...more,
});

describe("the words of a bar", () => {
  it.each([
    [0, "Worked"],
    [12_400, "Worked 12 s"],
    [492_000, "Worked 8 min"],
    [3 * 3_600_000 + 240_000, "Worked 3 h 4 min"],
  ])("of %i ms", (ms, words) => {
    expect(workedFor(ms)).toBe(words);
  });

  it("counts steps and files, and marks a lower bound", () => {
    expect(amountOf(work({ steps: 41, files: 6 }))).toBe("41 steps · 6 files");
    expect(amountOf(work({ steps: 1 }))).toBe("1 step");
    expect(amountOf(work({ steps: 4000, partial: true }))).toBe("≥ 4,000 steps");
  });

  it("tells failed from interrupted", () => {
    expect(troublesOf(work({ failed: 3, interrupted: 1 }))).toEqual([
      { words: "3 failed", tone: "error" },
      { words: "1 interrupted", tone: "warn" },
    ]);
    expect(troublesOf(work())).toEqual([]);
  });

  it("names files by their end and commands in full", () => {
    const item = (text: string) => ({ text, calls: 1, failed: 0, added: 0, removed: 0 });
    expect(itemName(item("a/b/c/d.go"), "edited")).toBe("c/d.go");
    expect(itemName(item("a/b/c/d.go"), "explored")).toBe("d.go");
    expect(itemName(item("go test ./a/b"), "ran")).toBe("go test ./a/b");
  });

  it("shows what is left out", () => {
    const items = [1, 2, 3].map((n) => ({
      text: `${n}`,
      calls: 1,
      failed: 0,
      added: 0,
      removed: 0,
    }));
    expect(restOf(phase("explored", { items, omitted: 4, searches: 1 }), 2)).toBe(
      "5 more · 1 search",
    );
    expect(restOf(phase("ran", { items }), 3)).toBe("");
  });
});

describe("the strip", () => {
  it("has a share for each phase and one for what failed, 100 percent in all", () => {
    const shares = sharesOf(
      work({
        workedMs: 1000,
        failedMs: 100,
        phases: [phase("explored", { workedMs: 400 }), phase("ran", { workedMs: 600, failed: 1 })],
      }),
    );
    expect(shares).toEqual([
      { kind: "explored", percent: 40 },
      { kind: "ran", percent: 50 },
      { kind: "failed", percent: 10 },
    ]);
  });

  it("is empty without times", () => {
    expect(sharesOf(work({ phases: [phase("ran")] }))).toEqual([]);
  });
});
