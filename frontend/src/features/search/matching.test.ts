import { expect, test } from "vitest";
import type { Hit } from "@/lib/api/api";
import type { Command } from "@/lib/keys/commands";
import { filterQuery, noFilters } from "./filters";
import { groupHits, matchCommands, passageOf, splitSnippet, whyNot } from "./matching";

const hit = (sessionId: string, uid: string, part: Partial<Hit> = {}) =>
  ({ sessionId, uid, sessionTitle: sessionId, source: "pi", snippet: "", ...part }) as Hit;

test("hits stand under their sessions, in the order of the first", () => {
  const groups = groupHits([hit("b", "1"), hit("a", "2"), hit("b", "3")]);
  expect(groups.map(({ sessionId, hits }) => [sessionId, hits.map(({ uid }) => uid)])).toEqual([
    ["b", ["1", "3"]],
    ["a", ["2"]],
  ]);
});

test.each([
  ["one two three", [[4, 7]], "one [two] three"],
  ["🌱 two", [[3, 6]], "🌱 [two]"],
  [
    "a b c",
    [
      [0, 1],
      [4, 5],
    ],
    "[a] b [c]",
  ],
  ["short", [[3, 99]], "sho[rt]"],
  ["short", [[9, 4]], "short"],
  ["none", [], "none"],
])("the marks in %j at %j", (snippet, at, want) => {
  const marks = at.map(([from = 0, to = 0]) => ({ from, to }));
  const pieces = splitSnippet({ snippet, marks });
  expect(pieces.map(({ text, marked }) => (marked ? `[${text}]` : text)).join("")).toBe(want);
});

const command = (title: string, part: Partial<Command> = {}): Command => ({
  name: "import",
  title,
  group: "View",
  keys: [],
  enabled: true,
  hidden: false,
  ...part,
});

test("filters are written as a query", () => {
  expect(filterQuery(noFilters)).toBe("");
  expect(filterQuery({ role: "user", source: "codex", since: "7d" })).toBe(
    "role:user source:codex after:7d",
  );
});

test("commands are found by any of their words", () => {
  const commands = [
    command("Dark theme"),
    command("Theme of the system"),
    command("Import…", { group: "Library" }),
    command("Undo", { enabled: false }),
    command("Search everything", { hidden: true }),
  ];
  const titles = (typed: string) => matchCommands(commands, typed).map(({ title }) => title);
  expect(titles("theme")).toEqual(["Theme of the system", "Dark theme"]);
  expect(titles("view dark")).toEqual(["Dark theme"]);
  expect(titles("")).toEqual(["Import…", "Dark theme", "Theme of the system"]);
  expect(titles("undo")).toEqual([]);
});

test("a text that is too short or not an expression is reported", () => {
  expect(whyNot(" a ", "words")).toMatch(/two characters/);
  expect(whyNot("会话", "words")).toBe("");
  expect(whyNot("a(b", "text")).toBe("");
  expect(whyNot("a(b", "regex")).toMatch(/Invalid regular expression/);
  expect(whyNot("(?i)auth", "regex")).toBe("");
});

test("words that were found one behind the other are one passage", () => {
  const found = (marks: [number, number][]) => {
    const [first] = marks as [[number, number]];
    const part = {
      snippet: "…the red oak, and the red elm",
      marks: marks.map(([from, to]) => ({ from, to })),
      markFrom: first[0],
      markTo: first[1],
    };
    const { snippet, from, to } = passageOf(hit("s", "m", part));
    return snippet.slice(from, to);
  };
  expect(
    found([
      [5, 8],
      [9, 12],
    ]),
  ).toBe("red oak");
  expect(
    found([
      [9, 12],
      [18, 21],
    ]),
  ).toBe("oak");
});
