import { expect, it } from "vitest";
import type { Card } from "../path/plan";
import { describeRun } from "./run-words";

const cards = (...calls: [string, string][]) =>
  calls.map(([toolName, target]) => ({ block: { toolName, target } })) as unknown as Card[];

it("counts what was done, the most first", () => {
  const { words } = describeRun(
    cards(["grep", "a"], ["Read", "b"], ["read_file", "c"], ["Glob", "d"], ["Read", "e"]),
  );
  expect(words).toBe("3 reads · 2 searches");
});

it("knows the tools of other programs, and has a word for the rest", () => {
  expect(describeRun(cards(["WebFetch", ""], ["WebSearch", ""], ["list_dir", ""])).words).toBe(
    "1 fetch · 1 web search · 1 listing",
  );
  expect(describeRun(cards(["Lookup", ""], ["Lookup", ""])).words).toBe("2 look-ups");
});

it("names each target once", () => {
  expect(describeRun(cards(["Read", "a"], ["Read", "b"], ["Read", "a"])).targets).toBe("a, b");
});
