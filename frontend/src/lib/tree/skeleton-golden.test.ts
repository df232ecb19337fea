// Reads the bytes that Go's encoder writes of the trees in testdata; a Go test holds that encoder to the same files.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  compacted,
  labelled,
  priced,
  prompt,
  readSkeleton,
  runStatus,
  type Tree,
  tools,
} from "./skeleton";

interface Turn {
  Number: number;
  Parent: number;
  Branch: number;
  FirstDepth: number;
  Messages: number;
  HasPrompt?: boolean;
  HasTools?: boolean;
  IsCompacted?: boolean;
  Tokens: number;
  CostNanoUSD?: number;
  EstimatedNanoUSD?: number;
  CreatedAtMs: number;
  Run?: string;
}

interface Shape {
  Reshapes: number;
  Messages: number;
  Turns: number;
  Branches: number;
  Head: string;
  HeadTurn: number;
  Main: number;
  Labels: { Turn: number; Text: string; Color: string }[];
  Bookmarks: { Turn: number }[];
  Checkpoints: { Turn: number; FileCount: number }[];
  Changed: Turn[];
}

const file = (name: string) => join(import.meta.dirname, "testdata", name);
const shape = (name: string): Shape => JSON.parse(readFileSync(file(`${name}.json`), "utf8"));
const read = (name: string, before?: Tree) => {
  const bytes = readFileSync(file(`${name}.bin`));
  const whole = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  return readSkeleton("s", whole as ArrayBuffer, before);
};

/** Tokens of a turn beyond 32 bits become the largest number. */
const maxTokens = 2 ** 31 - 1;

function turnOf({ skeleton }: Tree, turn: number) {
  const flags = skeleton.flags[turn] ?? 0;
  return {
    parent: skeleton.parent[turn],
    branch: skeleton.branch[turn],
    firstDepth: skeleton.firstDepth[turn],
    messages: skeleton.messages[turn],
    tokens: skeleton.tokens[turn],
    costNanoUsd: flags & priced ? skeleton.costNanoUsd[turn] : undefined,
    estimatedCostNanoUsd: skeleton.estimatedCostNanoUsd[turn],
    createdAtMs: skeleton.createdAtMs[turn],
    hasPrompt: (flags & prompt) !== 0,
    hasTools: (flags & tools) !== 0,
    isCompacted: (flags & compacted) !== 0,
    isLabelled: (flags & labelled) !== 0,
    run: runStatus(flags),
  };
}

const expected = (turn: Turn, isLabelled: boolean): ReturnType<typeof turnOf> => ({
  parent: turn.Parent,
  branch: turn.Branch,
  firstDepth: turn.FirstDepth,
  messages: turn.Messages,
  tokens: Math.min(turn.Tokens, maxTokens),
  costNanoUsd: turn.CostNanoUSD,
  estimatedCostNanoUsd: turn.EstimatedNanoUSD ?? 0,
  createdAtMs: turn.CreatedAtMs,
  hasPrompt: turn.HasPrompt ?? false,
  hasTools: turn.HasTools ?? false,
  isCompacted: turn.IsCompacted ?? false,
  isLabelled,
  run: turn.Run ?? "",
});

test("a tree that Go has encoded is read in every field", () => {
  const want = shape("tree");
  const tree = read("tree");
  expect(tree).toMatchObject({
    branchCount: want.Branches,
    messageCount: want.Messages,
    head: want.Head,
    headTurn: want.HeadTurn,
    mainTurn: want.Main,
    reshapes: want.Reshapes,
  });
  expect(tree.skeleton.count).toBe(want.Turns);
  expect([...tree.labels]).toEqual(want.Labels.map(({ Turn, Text }) => [Turn, Text]));
  expect([...tree.colors]).toEqual([[1, "teal"]]);
  expect([...tree.bookmarks]).toEqual(want.Bookmarks.map(({ Turn }) => Turn));
  expect([...tree.checkpoints]).toEqual(
    want.Checkpoints.map(({ Turn, FileCount }) => [Turn, FileCount]),
  );
  expect([...tree.inTrash]).toEqual([0, 0, 0, 1, 0, 0]);
  for (const turn of want.Changed)
    expect(turnOf(tree, turn.Number)).toEqual(expected(turn, tree.labels.has(turn.Number)));
});

test("an increment that Go has encoded changes the turns that it has", () => {
  const want = shape("tree-grown");
  const tree = read("tree-grown", read("tree"));
  const changed = new Set(want.Changed.map((turn) => turn.Number));
  const turns = shape("tree")
    .Changed.filter((turn) => !changed.has(turn.Number))
    .concat(want.Changed)
    .sort((a, b) => a.Number - b.Number);
  // n1 is divided where n7, another answer to its prompt, begins: both answers follow the prompt, and n4 follows the first one.
  expect([...tree.skeleton.number]).toEqual([0, 1, 1, 2, 3, 4, 5, 6, 7]);
  expect([...tree.skeleton.parent]).toEqual([-1, 0, 1, 0, 0, 2, -1, 5, 1]);
  expect(tree.headTurn).toBe(2);
  expect(turns.map((_, turn) => ({ ...turnOf(tree, turn), parent: 0 }))).toEqual(
    turns.map((turn) => ({ ...expected(turn, false), parent: 0 })),
  );
});
