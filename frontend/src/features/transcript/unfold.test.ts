import { expect, test } from "vitest";
import { Folds } from "./folds";
import type { Row } from "./plan";
import { unfold } from "./use-place";

const message = { uid: "m" };
const card = (type: string, part: number) => ({
  type: "block",
  card: { message, block: { type, part } },
});
const row = (look: string) =>
  ({ look, message, items: [card("prose", 0), card("reasoning", 1)] }) as unknown as Row;

test("what was found in the reasoning opens it, and nothing else does", () => {
  const folds = new Folds();
  unfold(row("message"), folds, "text");
  expect(folds.isOpen("m:1")).toBe(false);
  unfold(row("message"), folds, "reasoning");
  expect([folds.isOpen("m:0"), folds.isOpen("m:1")]).toEqual([false, true]);
});

test("what was found in a folded message opens it", () => {
  const folds = new Folds();
  unfold(row("folded"), folds, "text");
  expect(folds.isOpen("row m")).toBe(true);
});
