import { expect, it } from "vitest";
import { pairLines } from "./diff-pairs";

const lines = (ops: string) =>
  [...ops].map((op, at) => ({ op, oldLine: at, newLine: at, text: `${at}`, html: `${at}` }));

const draw = (ops: string) =>
  pairLines(lines(ops))
    .map(({ before, after }) => `${before?.text ?? "."}${after?.text ?? "."}`)
    .join(" ");

it("puts what was added beside what it replaced", () => {
  expect(draw(" --+ ")).toBe("00 13 2. 44");
  expect(draw("-++")).toBe("01 .2");
});

it("does not pair lines of two changes", () => {
  expect(draw("-+-+")).toBe("01 23");
  expect(draw("+-")).toBe(".0 1.");
});

it("keeps every line once", () => {
  const shown = pairLines(lines("  --+ ++-+-- ")).flatMap(({ before, after }) =>
    before === after ? [before] : [before, after],
  );
  expect(shown.filter(Boolean)).toHaveLength(13);
});
