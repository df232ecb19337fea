import { expect, test } from "vitest";
import { daysWords, isNarrowed, noFilter, readFilter, toSessionFilter } from "./filters";

test("each shelf asks for its own", () => {
  expect(toSessionFilter(noFilter)).toMatchObject({ pinnedFirst: true, trash: false });
  expect(toSessionFilter({ ...noFilter, shelf: "trash" })).toMatchObject({
    trash: true,
    children: true,
    pinnedFirst: false,
  });
  expect(toSessionFilter({ ...noFilter, shelf: "unfinished" }).incomplete).toBe(true);
  expect(toSessionFilter({ ...noFilter, sort: "cost" }).pinnedFirst).toBe(false);
});

test("spaces around a text narrow nothing", () => {
  expect(isNarrowed({ ...noFilter, query: "  " })).toBe(false);
  expect(toSessionFilter({ ...noFilter, query: " auth " }).query).toBe("auth");
  expect(isNarrowed({ ...noFilter, parent: { id: "x", title: "x" } })).toBe(true);
});

test("what an older window remembered is taken as far as it is sound", () => {
  expect(readFilter({ shelf: "pinned" })).toEqual({ ...noFilter, shelf: "pinned" });
  expect(readFilter({ sources: "codex" as unknown as string[] })).toEqual(noFilter);
});

test("days are asked for from midnight to midnight, by the user's clock", () => {
  const days = { since: "2026-03-28", until: "2026-03-29" };
  expect(toSessionFilter({ ...noFilter, days })).toMatchObject({
    activeFromMs: new Date(2026, 2, 28).getTime(),
    activeBeforeMs: new Date(2026, 2, 30).getTime(),
  });
  expect(toSessionFilter({ ...noFilter, days: { since: "", until: "" } })).toMatchObject({
    activeFromMs: 0,
    activeBeforeMs: 0,
  });
  expect(isNarrowed({ ...noFilter, days })).toBe(true);
  expect(daysWords(days)).toMatch(/28.* – .*29/);
  expect(daysWords({ since: "2026-03-28", until: "2026-03-28" })).not.toContain("–");
  expect(readFilter({ days: { since: 1 } as never })).toEqual(noFilter);
});
