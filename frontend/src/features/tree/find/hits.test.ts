import { describe, expect, it } from "vitest";
import { parentOf, prompt, tools } from "@/lib/tree/skeleton";
import { sketch } from "@/testing/fake-sketch";
import { fakeParents, type TreeShape } from "@/testing/fake-tree";
import { int } from "../layout/columns";
import { keptTurns } from "../layout/filter";
import { allButPath, noFolds } from "../layout/folds";
import { layOut } from "../layout/layout";
import { groundOf, modelOf } from "../layout/outline-model";
import { firstTurn } from "../layout/strands";
import { hitsInOrder, openHits } from "./hits";

const shapes: TreeShape[] = ["agent", "chat", "bushy", "chain", "comb"];
const count = 400;

function marks(turns: readonly number[]) {
  const hits = new Uint8Array(count);
  for (const turn of turns) hits[turn] = 1;
  return hits;
}

describe.each(shapes)("what is found in a tree like %s", (shape) => {
  const skeleton = sketch(fakeParents(shape, count, 7));
  const ground = groundOf(layOut(skeleton), "all", "oldest", []);

  for (const [name, turns] of Object.entries({
    few: [3, 77, 201],
    one: [150],
    many: Array.from({ length: 80 }, (_, at) => at * 5),
  }))
    for (const folds of [noFolds, allButPath()])
      it(`shows, with ${name} hits over ${folds.base}, each on a row of its own`, () => {
        const hits = marks(turns);
        const opened = openHits(ground, folds, hits);
        const { rows } = modelOf(ground, opened.folds, opened.hidden);
        for (const turn of turns) {
          const row = int(rows.of, turn);
          expect(row).toBeGreaterThanOrEqual(0);
          expect(int(rows.chain, row)).toBe(0);
        }
        const listed = [...hitsInOrder(rows, hits)];
        expect([...listed].sort((a, b) => a - b)).toEqual(turns);
        const places = listed.map((turn) => int(rows.of, turn));
        expect(places).toEqual([...places].sort((a, b) => a - b));
      });

  it("opens only the branches that hits are in", () => {
    const hits = marks([150]);
    const folded = modelOf(ground, allButPath());
    const opened = openHits(ground, allButPath(), hits);
    const { rows, strands } = modelOf(ground, opened.folds, opened.hidden);
    const above = new Set<number>();
    for (let at = 150; at >= 0; at = parentOf(skeleton, at)) above.add(int(strands.of, at));
    for (let strand = 0; strand < strands.count; strand++)
      if (int(rows.from, strand) >= 0 && int(folded.rows.from, strand) < 0)
        // What has become visible is above the hit, or belongs to its branch.
        expect(above.has(strand) || above.has(int(strands.of, int(strands.fork, strand)))).toBe(
          true,
        );
  });
});

describe("the lists of an outline", () => {
  it("keep turns without tools", () => {
    const skeleton = sketch([-1, 0, 1, 2]);
    skeleton.flags.set([prompt, prompt | tools, prompt | tools, prompt]);
    const { strands } = layOut(skeleton);
    expect([...(keptTurns(skeleton, strands, "no-tools", []) ?? [])]).toEqual([1, 0, 0, 1]);
  });

  it("put alternatives in the order of time", () => {
    // The forks of n0 were made in the order n2, n3, n4; the source gives n3 an earlier time.
    const skeleton = sketch([-1, 0, 0, 0, 0]);
    skeleton.createdAtMs.set([0, 1, 30, 20, 40]);
    const layout = layOut(skeleton);
    const firsts = (order: "oldest" | "newest") =>
      [...groundOf(layout, "all", order, []).order.forks].map((strand) =>
        firstTurn(layout.strands, strand),
      );
    expect(firsts("oldest")).toEqual([3, 2, 4]);
    expect(firsts("newest")).toEqual([4, 2, 3]);
  });
});
