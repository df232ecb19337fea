import { expect, test } from "vitest";
import { makeSession } from "@/testing/fake-content";
import { toRows } from "./grouped-rows";

const now = new Date(2026, 10, 21, 12).getTime();
const day = 24 * 3_600_000;

function session(id: string, daysAgo: number, pinned = false) {
  const time = now - daysAgo * day;
  return {
    ...makeSession(0, now),
    id,
    updatedAtMs: time,
    createdAtMs: time - 30 * day,
    pinnedAtMs: pinned ? now : 0,
  };
}

const shape = (rows: ReturnType<typeof toRows>) =>
  rows.map((row) => (row.type === "heading" ? `# ${row.title}` : `${row.position} ${row.key}`));

test("sessions stand under their days", () => {
  const sessions = [session("a", 0), session("b", 0), session("c", 1), session("d", 5)];
  expect(shape(toRows(sessions, "updated", false, now))).toEqual([
    "# Today",
    "1 a",
    "2 b",
    "# Yesterday",
    "3 c",
    "# Monday",
    "4 d",
  ]);
});

test("pinned ones come first under their own heading, and the day comes back after them", () => {
  const sessions = [session("p", 0, true), session("q", 9, true), session("a", 0)];
  expect(shape(toRows(sessions, "updated", true, now))).toEqual([
    "# Pinned",
    "1 p",
    "2 q",
    "# Today",
    "3 a",
  ]);
});

test("a pin means nothing where pinned ones do not come first", () => {
  const rows = toRows([session("a", 0), session("p", 1, true)], "updated", false, now);
  expect(shape(rows)).toEqual(["# Today", "1 a", "# Yesterday", "2 p"]);
});

test("an order without time has no days; the order by creation has other ones", () => {
  const sessions = [session("a", 0), session("b", 1)];
  expect(shape(toRows(sessions, "title", false, now))).toEqual(["1 a", "2 b"]);
  expect(shape(toRows(sessions, "created", false, now))[0]).toBe("# October 22");
});

test("a session that slid onto the next page is shown once", () => {
  const a = session("a", 0);
  expect(shape(toRows([a, session("b", 0), a], "updated", false, now))).toEqual([
    "# Today",
    "1 a",
    "2 b",
  ]);
});
