import { expect, test } from "vitest";
import { isNarrowed, noFilter, readFilter, toSessionFilter } from "./filters";

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
