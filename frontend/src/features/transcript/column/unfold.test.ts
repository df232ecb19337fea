import { expect, test } from "vitest";
import { Folds } from "../path/folds";
import { foldOfRun, type Item, type Row } from "../path/plan";
import { unfold } from "./use-reading-position";

const message = { uid: "m" };
const card = (type: string, part: number) => ({
  message,
  block: { type, part, callId: `c${part}` },
});
const single = (type: string, part: number) => ({ type: "block", card: card(type, part) });
const reads = { type: "reads", cards: [card("tool", 3), card("tool", 4)] };
const row = (look: string) =>
  ({
    look,
    message,
    items: [single("prose", 0), single("reasoning", 1), single("tool", 2), reads],
  }) as unknown as Row;

/** Which of the parts are open once one was found. */
function opened(part: number, uid = "m") {
  const folds = new Folds();
  unfold(row("message"), folds, uid, part);
  return [0, 1, 2, 3, 4].filter((part) => folds.isOpen(`m:${part}`));
}

test("what was found in the reasoning or in what a tool was asked opens it, and nothing else does", () => {
  expect(opened(0)).toEqual([]);
  expect(opened(1)).toEqual([1]);
  expect(opened(2)).toEqual([2]);
  expect(opened(2, "another")).toEqual([]);
});

test("what was found in a run of calls opens the run, too", () => {
  expect(opened(4)).toEqual([4]);
  const folds = new Folds();
  unfold(row("message"), folds, "m", 4);
  const [, , , run] = row("message").items as [Item, Item, Item, Item & { type: "reads" }];
  expect(folds.isOpen(foldOfRun(run.cards))).toBe(true);
});

test("what was found in a folded message opens it", () => {
  const folds = new Folds();
  unfold(row("folded"), folds, "m", 0);
  expect(folds.isOpen("row m")).toBe(true);
});

test("what was found in a long text opens all of it", () => {
  const folds = new Folds();
  const long = { ...card("prose", 0), block: { type: "prose", part: 0, lines: 2300, cut: false } };
  unfold(
    { look: "message", message, items: [{ type: "block", card: long }] } as never,
    folds,
    "m",
    0,
  );
  expect(folds.isOpen("m:0")).toBe(true);
});
