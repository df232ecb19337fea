import { describe, expect, it } from "vitest";
import type { KeyPress } from "@/lib/keys/keys";
import { sketch } from "@/testing/fake-sketch";
import { int } from "../layout/columns";
import { allOpen, type Folds, noFolds } from "../layout/folds";
import { layOut } from "../layout/layout";
import { groundOf, isExpanded, modelOf, type OutlineModel, rowFor } from "../layout/outline-model";
import { outlineKey } from "./keyboard";

// The trunk n0 n1 n2; n3, with n4 to n6 behind it, and n7 are other children of n1. A chain behind n8, another root.
//   n0 ─ n1 ─ n2
//        ├─ n3 ─ n4 n5 n6
//        └─ n7
//   n8 ─ n9 n10 n11
const skeleton = sketch([-1, 0, 1, 1, 3, 4, 5, 1, -1, 8, 9, 10]);
const ground = groundOf(layOut(skeleton), "all", "oldest", []);
const model = (folds: Folds = noFolds) => modelOf(ground, folds);

function press(keys: string): KeyPress {
  const parts = keys.split("+");
  return {
    key: parts.pop() ?? "",
    ctrlKey: parts.includes("Ctrl"),
    metaKey: parts.includes("Meta"),
    altKey: parts.includes("Alt"),
    shiftKey: parts.includes("Shift"),
  };
}

// What a key does with the cursor on a turn: "go 3", "fold", or nothing.
function act(keys: string, turn: number, at: OutlineModel = model(), page = 3) {
  const action = outlineKey(press(keys), at, rowFor(at, turn), page);
  if (!action) return "nothing";
  return action.do === "fold" ? "fold" : `${action.do} ${action.turn}`;
}

function folded(keys: string, turn: number, at: OutlineModel = model()): OutlineModel {
  const action = outlineKey(press(keys), at, rowFor(at, turn), 3);
  if (action?.do !== "fold") throw new Error(`${keys} on n${turn} does not fold`);
  return model(action.folds);
}

describe("the outline's keys", () => {
  it("know the rows they are tested on", () => {
    const { rows } = model();
    expect([...rows.turn]).toEqual([0, 1, 2, 3, 4, 7, 8, 9]);
    expect(int(rows.chain, 4)).toBe(3);
  });

  it.each([
    ["ArrowDown", 1, "go 2"],
    ["ArrowUp", 1, "go 0"],
    ["ArrowUp", 0, "go 0"],
    ["ArrowDown", 9, "go 9"],
    ["PageDown", 0, "go 3"],
    ["PageUp", 8, "go 3"],
    ["Home", 7, "go 0"],
    ["End", 0, "go 9"],
    ["Ctrl+Home", 7, "go 0"],
    ["Ctrl+End", 7, "go 9"],
    ["ArrowRight", 1, "go 2"],
    ["ArrowRight", 3, "go 4"],
    ["ArrowRight", 4, "fold"],
    ["ArrowRight", 0, "nothing"],
    ["ArrowRight", 9, "fold"],
    ["ArrowLeft", 1, "fold"],
    ["ArrowLeft", 4, "go 3"],
    ["ArrowLeft", 7, "go 1"],
    ["ArrowLeft", 2, "nothing"],
    ["Enter", 7, "view-turn 7"],
    ["Enter", 4, "fold"],
    ["Ctrl+Enter", 7, "continue-turn 7"],
    ["Meta+Enter", 7, "nothing"],
    ["Ctrl+Enter", 4, "nothing"],
    ["l", 7, "label-turn 7"],
    ["L", 7, "label-turn 7"],
    ["l", 4, "nothing"],
    ["Alt+ArrowUp", 3, "reveal 2"],
    ["Alt+ArrowDown", 3, "reveal 7"],
    ["Alt+ArrowDown", 7, "nothing"],
    ["Alt+ArrowDown", 0, "reveal 8"],
    ["Alt+ArrowLeft", 7, "reveal 1"],
    ["Alt+ArrowLeft", 0, "nothing"],
    ["Alt+ArrowRight", 1, "child 1"],
    ["Ctrl+ArrowLeft", 9, "go 1"],
    ["Ctrl+ArrowRight", 0, "go 1"],
    ["Ctrl+ArrowLeft", 1, "fold"],
    ["Shift+ArrowDown", 1, "nothing"],
    ["Ctrl+Alt+ArrowDown", 1, "nothing"],
    ["x", 1, "nothing"],
  ])("%s on n%i: %s", (keys, turn, expected) => {
    expect(act(keys, turn)).toBe(expected);
  });

  it("fold and unfold what hangs on a turn", () => {
    const closed = folded("ArrowLeft", 1);
    expect([...closed.rows.turn]).toEqual([0, 1, 2, 8, 9]);
    expect(isExpanded(closed, 1)).toBe(false);
    expect([...folded("ArrowRight", 1, closed).rows.turn]).toEqual([...model().rows.turn]);
  });

  it("fold a fork into its first turn, and leave it then", () => {
    const closed = folded("ArrowLeft", 3);
    expect([...closed.rows.turn]).toEqual([0, 1, 2, 3, 7, 8, 9]);
    expect(act("ArrowLeft", 3, closed)).toBe("go 1");
  });

  it("open a chain, and close it from any of its turns", () => {
    const open = folded("Enter", 4);
    expect([...open.rows.turn]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const closed = folded("ArrowLeft", 5, open);
    expect([...closed.rows.turn]).toEqual([...model().rows.turn]);
    // The cursor is on the fold that its turn went into.
    expect(rowFor(closed, 5)).toBe(4);
  });

  it("fold a branch point before they leave it, and unfold the next one before they go on", () => {
    const closed = folded("Ctrl+ArrowLeft", 1);
    expect(act("Ctrl+ArrowLeft", 1, closed)).toBe("nothing");
    expect(act("Ctrl+ArrowRight", 1, closed)).toBe("fold");
    expect(act("Ctrl+ArrowRight", 1)).toBe("nothing");
  });

  it("do nothing in an empty outline", () => {
    const empty = modelOf(groundOf(layOut(sketch([])), "all", "oldest", []), allOpen(0));
    expect(outlineKey(press("ArrowDown"), empty, -1, 3)).toBeUndefined();
  });
});
