import { expect, test } from "vitest";
import type { MessageView } from "@/lib/api/api";
import { block } from "@/testing/fake-blocks";
import { coveredBy, measure } from "./path-size";

const message = (role: string, chars: number, tokens = 0) =>
  ({
    role,
    inputTokens: tokens,
    outputTokens: tokens && 10,
    blocks: [block({ chars })],
  }) as MessageView;

test("counts up to the last answer as its provider did, and adds what follows", () => {
  const messages = [message("user", 40), message("assistant", 80, 500), message("user", 400)];
  expect(measure(messages, 3)).toEqual({ tokens: 610, counted: true });
});

test("without a count the length of the text is a guess for the whole path", () => {
  const messages = [message("user", 400), message("assistant", 400)];
  expect(measure(messages, 20)).toEqual({ tokens: 2000, counted: false });
  expect(measure([], 0)).toEqual({ tokens: 0, counted: false });
});

const compacted = (tokensAfter: number, coveredMessages: number) =>
  ({
    ...message("user", 4000),
    kind: "compaction",
    compaction: { tokensAfter, coveredMessages },
  }) as MessageView;

test("after a compaction its own size counts until an answer has a count", () => {
  const messages = [message("assistant", 80, 90_000), compacted(6000, 61), message("user", 400)];
  expect(measure(messages, 80)).toEqual({ tokens: 6100, counted: false });
  const answered = [...messages, message("assistant", 40, 7000)];
  expect(measure(answered, 81)).toEqual({ tokens: 7010, counted: true });
});

test("a compaction replaces messages of the path, one of another tool all before it", () => {
  expect(coveredBy([message("user", 1), compacted(1, 61)], 70)).toBe(61);
  const foreign = { ...message("user", 1), kind: "compaction" } as MessageView;
  expect(coveredBy([message("user", 1), foreign], 70)).toBe(71);
  expect(coveredBy([message("user", 1)], 70)).toBe(0);
});
