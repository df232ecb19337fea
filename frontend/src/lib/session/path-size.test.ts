import { expect, test } from "vitest";
import type { MessageView } from "@/lib/api/api";
import { block } from "@/testing/fake-blocks";
import { measure } from "./path-size";

const message = (role: string, chars: number, tokens = 0) =>
  ({
    role,
    inputTokens: tokens,
    outputTokens: tokens && 10,
    blocks: [block({ chars })],
  }) as MessageView;

test("the last answer says how much came before it; what follows is added", () => {
  const messages = [message("user", 40), message("assistant", 80, 500), message("user", 400)];
  expect(measure(messages, 3)).toEqual({ tokens: 610, counted: true });
});

test("without a count the length of the text is a guess for the whole path", () => {
  const messages = [message("user", 400), message("assistant", 400)];
  expect(measure(messages, 20)).toEqual({ tokens: 2000, counted: false });
  expect(measure([], 0)).toEqual({ tokens: 0, counted: false });
});
