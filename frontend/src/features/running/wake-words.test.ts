import { expect, test } from "vitest";
import type { Wake } from "@/lib/api/api";
import { formatExact } from "@/lib/format/format";
import { wakeWords } from "./wake-words";

const wake: Wake = { kind: "manual", atMs: 0, path: "", title: "", detail: "", active: true };
const atMs = Date.UTC(2026, 11, 24, 18);

test.each<[string, Partial<Wake>[], string]>([
  ["nothing", [], ""],
  ["only by hand", [{}], ""],
  ["a time", [{ kind: "time", atMs }], `at ${formatExact(atMs)}`],
  [
    "a file or a session",
    [
      { kind: "change", path: "/src/go.mod" },
      { kind: "done", title: "Fix the build" },
    ],
    "when /src/go.mod changes, or when “Fix the build” ends",
  ],
  [
    "an imported one",
    [{ kind: "change", path: "/a", active: false }],
    "when /a changes (imported, not confirmed)",
  ],
])("%s", (_, wakes, want) => {
  expect(wakeWords(wakes.map((one) => ({ ...wake, ...one })))).toBe(want);
});
