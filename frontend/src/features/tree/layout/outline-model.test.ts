import { describe, expect, it } from "vitest";
import { parentOf } from "@/lib/tree/skeleton";
import { sketch } from "@/testing/fake-sketch";
import { fakeParents } from "@/testing/fake-tree";
import { int } from "./columns";
import { allButPath, noFolds } from "./folds";
import { layOut } from "./layout";
import { groundOf, modelOf, reveal, rowFor } from "./outline-model";
import { levelOf } from "./rows";

describe("reveal", () => {
  it.each(["agent", "chat", "bushy", "comb", "chain"] as const)(
    "gives any turn of a tree like %s a row of its own",
    (shape) => {
      const skeleton = sketch(fakeParents(shape, 500, 3));
      const ground = groundOf(layOut(skeleton), "all", "oldest", []);
      for (let turn = 0; turn < 500; turn += 7) {
        for (const folds of [noFolds, allButPath()]) {
          const { rows } = modelOf(ground, reveal(modelOf(ground, folds), turn));
          const row = int(rows.of, turn);
          expect(row).toBeGreaterThanOrEqual(0);
          expect(int(rows.chain, row)).toBe(0);
        }
      }
    },
  );

  it("changes nothing where the turn shows", () => {
    const ground = groundOf(layOut(sketch([-1, 0, 1])), "all", "oldest", []);
    expect(reveal(modelOf(ground, noFolds), 1)).toBe(noFolds);
  });
});

describe("rowFor", () => {
  it("is the row of the nearest turn above one that is folded away", () => {
    const skeleton = sketch(fakeParents("chat", 500, 3));
    const ground = groundOf(layOut(skeleton), "all", "oldest", []);
    const folded = modelOf(ground, allButPath());
    for (let turn = 0; turn < 500; turn++) {
      let shown = turn;
      while (int(folded.rows.of, shown) < 0) shown = parentOf(skeleton, shown);
      expect(rowFor(folded, turn)).toBe(int(folded.rows.of, shown));
    }
  });
});

describe("levels", () => {
  it("are one deeper for what folds with a turn, and 1 on the path", () => {
    const skeleton = sketch(fakeParents("bushy", 300, 3));
    const { strands, rows } = modelOf(groundOf(layOut(skeleton), "all", "oldest", []), noFolds);
    for (let row = 0; row < rows.count; row++) {
      const turn = int(rows.turn, row);
      const level = levelOf(strands, rows, turn);
      if (int(strands.of, turn) === 0) expect(level).toBe(1);
      // No row is more than one level below the one above it.
      if (row > 0)
        expect(level).toBeLessThanOrEqual(levelOf(strands, rows, int(rows.turn, row - 1)) + 1);
    }
  });
});
