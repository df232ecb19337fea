import { expect, test } from "vitest";
import { sketch } from "@/testing/fake-sketch";
import { layOut } from "../layout/layout";
import { olderSiblings, partingText, partingWords } from "./parting";
import type { TurnWords } from "./turn-words";

test.each([
  ["Use an outbox table", ["Try it"], "Use an outbox table"],
  [
    "Use an outbox table, keep the inline path",
    ["Use an outbox table, drop the inline path"],
    "… keep the inline path",
  ],
  ["Use an outbox table, keep", ["Use an", "Use an outbox table, kill"], "… keep"],
  ["Yes, do it", ["Yes, please"], "Yes, do it"],
  ["The same words again", ["The same words again"], "The same words again"],
])("%s beside %j is %s", (own, older, shown) => expect(partingWords(own, older)).toBe(shown));

test("a turn is compared with its older siblings only", () => {
  const skeleton = sketch([-1, 0, 0, 0]);
  const { strands } = layOut(skeleton);
  expect([1, 2, 3].map((turn) => olderSiblings(skeleton, strands, turn))).toEqual([
    [],
    [1],
    [2, 1],
  ]);
  const said = [
    "start",
    "Answer me this question",
    "Answer me this question",
    "Answer me this riddle",
  ];
  const words = {
    get: (turn: number) => ({ preview: said[turn], answer: `answer ${turn}` }),
  } as unknown as TurnWords;
  expect([1, 2, 3].map((turn) => partingText(skeleton, strands, words, turn))).toEqual([
    "Answer me this question",
    "→ answer 2",
    "… riddle",
  ]);
});
