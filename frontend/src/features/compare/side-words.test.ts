import { expect, test } from "vitest";
import type { Side } from "@/lib/api/api";
import { sideFacts } from "./side-words";

const side = (part: Partial<Side>) =>
  sideFacts({
    turns: 2,
    messages: 3,
    inputTokens: 900,
    outputTokens: 300,
    unpriced: 0,
    beganAtMs: 0,
    endedAtMs: 0,
    ...part,
  } as Side);

test.each([
  [{ costNanoUsd: 12_000_000 }, ["2 turns", "3 messages", "1,200 tok", "$0.012"]],
  [
    { costNanoUsd: 12_000_000, unpriced: 1 },
    ["2 turns", "3 messages", "1,200 tok", "$0.012 and more"],
  ],
  [{}, ["2 turns", "3 messages", "1,200 tok", "cost unknown"]],
  [{ inputTokens: 0, outputTokens: 0 }, ["2 turns", "3 messages", "cost unknown"]],
])("what is not known of a branch is no number: %j", (part, words) => {
  expect(side(part)).toEqual(words);
});
