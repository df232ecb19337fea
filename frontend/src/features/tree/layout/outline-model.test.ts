import { describe, expect, it } from "vitest";
import { parentOf } from "@/lib/tree/skeleton";
import { sketch } from "@/testing/fake-sketch";
import { fakeParents } from "@/testing/fake-tree";
import { int } from "./columns";
import { allButPath, foldedSize, noFolds } from "./folds";
import { layOut } from "./layout";
import { foldOthers, groundOf, modelOf, reveal, rowFor, setFold } from "./outline-model";
import { pathEndsOf } from "./path-ends";
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

describe("foldOthers", () => {
  // A trunk of ten turns that forks at n2, n3 and n6, and the path to a leaf.
  //   n0 ─ n1 ─ n2 ─ n3 ─ n4 ─ n5 ─ n6 ─ n7 ─ n8 ─ n9
  //              │    └─ n12 n13 ─ n14 │
  //              └─ n10 n11            └─ n15 n16
  const parents = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 2, 10, 3, 12, 13, 6, 15];
  const skeleton = sketch(parents);
  const ground = groundOf(layOut(skeleton), "all", "oldest", []);
  const viewing = (leaf: number) => {
    const path = pathEndsOf(skeleton, ground.strands, leaf);
    const folds = foldOthers({ ...modelOf(ground, noFolds), path });
    return { ...modelOf(ground, folds), path };
  };
  const turnsOf = (leaf: number) => [...viewing(leaf).rows.turn];

  it("folds the rest of the first strand below the fork that the path takes", () => {
    // Of the alternatives at the fork only their first turns are left.
    expect(turnsOf(14)).toEqual([0, 1, 2, 3, 4, 12, 13, 14]);
    expect(turnsOf(11)).toEqual([0, 1, 2, 3, 10, 11]);
  });

  it("leaves the path whole where it continues the first strand", () => {
    expect(turnsOf(9)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("counts what it folds away, and unfolds it by one step", () => {
    const model = viewing(11);
    expect(foldedSize(model, 3)).toBe(11);
    const { rows } = modelOf(ground, setFold(model, 3, false));
    expect([...rows.turn]).toEqual([0, 1, 2, 3, 10, 11, 4, 12]);
  });

  it.each(["agent", "chat", "bushy", "comb", "chain"] as const)(
    "keeps each turn of a path through a tree like %s, and little else",
    (shape) => {
      const tree = sketch(fakeParents(shape, 500, 3));
      const ground = groundOf(layOut(tree), "all", "oldest", []);
      const hasChild = new Set(tree.parent);
      const leaves = [...tree.parent.keys()].filter((turn) => !hasChild.has(turn));
      for (const leaf of leaves.filter((_, at) => at % 9 === 0)) {
        const path = pathEndsOf(tree, ground.strands, leaf);
        const { rows } = modelOf(ground, foldOthers({ ...modelOf(ground, noFolds), path }));
        const onPath = new Set<number>();
        for (let turn = leaf; turn >= 0; turn = parentOf(tree, turn)) onPath.add(turn);
        for (const turn of onPath) expect(int(rows.of, turn)).toBeGreaterThanOrEqual(0);
        // Nothing else has a line but alternatives to turns of the path.
        for (const turn of rows.turn)
          expect(
            onPath.has(turn) || parentOf(tree, turn) < 0 || onPath.has(parentOf(tree, turn)),
          ).toBe(true);
      }
    },
  );
});
