import { describe, expect, it } from "vitest";
import { labelled, parentOf, prompt, type Skeleton } from "@/lib/tree/skeleton";
import { sketch } from "@/testing/fake-sketch";
import { fakeParents, type TreeShape } from "@/testing/fake-tree";
import { anchorsOf } from "./chains";
import { byte, int } from "./columns";
import { keptTurns } from "./filter";
import { allButPath, allOpen, type Folds, foldedSize, noFolds, ruleFolds, withFold } from "./folds";
import { orderForks } from "./fork-order";
import { type Rows, rowsOf } from "./rows";
import { firstTurn, type Strands, strandsOf } from "./strands";

const shapes: TreeShape[] = ["agent", "chat", "bushy", "chain", "comb"];

function outline(skeleton: Skeleton, folds: Folds) {
  const strands = strandsOf(skeleton);
  const anchors = anchorsOf(skeleton, strands, []);
  const rule = ruleFolds(skeleton, strands, anchors);
  const rows = rowsOf(skeleton, strands, {
    anchors,
    rule,
    folds,
    kept: null,
    order: orderForks(skeleton, strands, "oldest"),
    hidden: null,
  });
  return { skeleton, strands, anchors, rule, rows };
}

const turnsOf = (rows: Rows) => [...rows.turn];

// What holds of every outline, however it is folded.
function check({ skeleton, strands, rows }: ReturnType<typeof outline>) {
  for (let turn = 0; turn < skeleton.count; turn++) {
    const row = int(rows.of, turn);
    const above = parentOf(skeleton, turn);
    // A parent is above its child, or in the same fold.
    if (row >= 0 && above >= 0) expect(int(rows.of, above)).toBeLessThanOrEqual(row);
    if (row >= 0 && above >= 0) expect(int(rows.of, above)).toBeGreaterThanOrEqual(0);
  }
  for (let row = 0; row < rows.count; row++) {
    expect(int(rows.of, int(rows.turn, row))).toBe(row);
    const strand = int(strands.of, int(rows.turn, row));
    expect(int(rows.from, strand)).toBeLessThanOrEqual(row);
    expect(int(rows.to, strand)).toBeGreaterThanOrEqual(row);
  }
  checkLanes(strands, rows);
}

// No two strands share a lane in one row, and lane 0 is the trunk's alone.
function checkLanes(strands: Strands, rows: Rows) {
  const lastRow = new Map<number, number>();
  const shown = [...Array(strands.count).keys()]
    .filter((strand) => int(rows.from, strand) >= 0)
    .sort((a, b) => int(rows.from, a) - int(rows.from, b));
  for (const strand of shown) {
    const lane = int(rows.lane, strand);
    expect(lane === 0).toBe(strand === 0);
    expect(lane).toBeLessThanOrEqual(rows.lastLane);
    expect(int(rows.from, strand)).toBeGreaterThan(lastRow.get(lane) ?? -1);
    lastRow.set(lane, int(rows.to, strand));
  }
}

describe.each(shapes)("the outline of a tree like %s", (shape) => {
  for (const seed of [1, 2, 3]) {
    const skeleton = sketch(fakeParents(shape, 400, seed));
    it(`keeps its rules, seed ${seed}`, () => {
      for (const folds of [noFolds, allOpen(400), allButPath()]) check(outline(skeleton, folds));
    });
  }

  it("lists every turn once when all is open, and is the same each time", () => {
    const skeleton = sketch(fakeParents(shape, 400, 5));
    const { rows } = outline(skeleton, allOpen(400));
    expect(rows.count).toBe(400);
    expect(new Set(rows.turn).size).toBe(400);
    expect(outline(skeleton, allOpen(400)).rows).toEqual(rows);
  });

  it("counts what it folds away", () => {
    const skeleton = sketch(fakeParents(shape, 400, 5));
    const { rows, strands, rule } = outline(skeleton, noFolds);
    let turns = 0;
    for (let row = 0; row < rows.count; row++) {
      const turn = int(rows.turn, row);
      turns += Math.max(1, int(rows.chain, row));
      if (int(rows.chain, row) === 0 && byte(rule, turn))
        turns += foldedSize({ strands, folds: noFolds, rule }, turn);
    }
    expect(turns).toBe(400);
  });
});

describe("the outline", () => {
  it("lists what continues a strand, then what forks, other roots last", () => {
    const { rows } = outline(sketch([-1, 0, 1, 0, 3, -1]), allOpen(6));
    expect(turnsOf(rows)).toEqual([0, 1, 3, 4, 2, 5]);
    expect([...rows.level]).toEqual([1, 2, 1]);
  });

  it("keeps a strand's line until the last fork of its last turn leaves it", () => {
    // n2 forks off n0 and ends with three forks.
    const { rows, strands } = outline(
      { ...sketch([-1, 0, 0, 2, 2, 2]), branch: Int32Array.of(0, 0, 1, 2, 3, 4) },
      allOpen(6),
    );
    expect(turnsOf(rows)).toEqual([0, 1, 2, 3, 4, 5]);
    const strand = int(strands.of, 2);
    expect([int(rows.from, strand), int(rows.to, strand)]).toEqual([1, 3]);
  });

  it("reuses the lane of a strand only for one that begins later", () => {
    const { rows, strands } = outline(sketch([-1, 0, 0, 1, 3, 3]), allOpen(6));
    expect(turnsOf(rows)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(int(rows.lane, int(strands.of, 2))).toBe(1);
    expect(int(rows.lane, int(strands.of, 5))).toBe(1);
  });

  it("folds a long trunk but for its beginning and its end", () => {
    const { rows } = outline(sketch(fakeParents("chain", 100)), noFolds);
    expect(rows.count).toBe(14);
    expect(int(rows.chain, 1)).toBe(87);
    expect(int(rows.turn, 13)).toBe(99);
  });

  it("shows a short trunk whole", () => {
    expect(outline(sketch(fakeParents("chain", 16)), noFolds).rows.count).toBe(16);
  });

  it("shows labelled turns alone in their chain", () => {
    const skeleton = sketch(fakeParents("chain", 100));
    skeleton.flags[50] = prompt | labelled;
    expect(turnsOf(outline(skeleton, noFolds).rows).slice(0, 4)).toEqual([0, 1, 50, 51]);
  });

  it("keeps the trunk in sight beside 10,000 alternatives", () => {
    const { rows } = outline(sketch(fakeParents("comb", 10_000)), noFolds);
    expect(turnsOf(rows)).toEqual([0, 1]);
  });

  it("opens and closes what hangs on a turn", () => {
    const skeleton = sketch([-1, 0, 0, 2, 3]);
    const open = outline(skeleton, noFolds);
    expect(turnsOf(open.rows)).toEqual([0, 1, 2, 3]);
    expect(int(open.rows.chain, 3)).toBe(2);
    expect(turnsOf(outline(skeleton, withFold(noFolds, 2, true)).rows)).toEqual([0, 1, 2]);
    expect(turnsOf(outline(skeleton, withFold(noFolds, 0, true)).rows)).toEqual([0, 1]);
  });

  it("lists labelled turns only, and where their strands begin", () => {
    const skeleton = sketch([-1, 0, 1, 2, 0, 4, 5, 0, 7]);
    skeleton.flags[6] = labelled;
    const strands = strandsOf(skeleton);
    const anchors = anchorsOf(skeleton, strands, []);
    const rule = ruleFolds(skeleton, strands, anchors);
    const kept = keptTurns(skeleton, strands, "labelled", []);
    const rows = rowsOf(skeleton, strands, {
      anchors,
      rule,
      folds: noFolds,
      kept,
      order: orderForks(skeleton, strands, "oldest"),
      hidden: null,
    });
    expect(turnsOf(rows)).toEqual([0, 4, 6, 3]);
    checkLanes(strands, rows);
  });

  it("of an empty tree is empty", () => {
    expect(outline(sketch([]), noFolds).rows.count).toBe(0);
  });

  it("of 100,000 turns in any shape is listed without a stack", () => {
    for (const shape of shapes) {
      const skeleton = sketch(fakeParents(shape, 100_000));
      const { rows, strands } = outline(skeleton, allOpen(100_000));
      expect(rows.count).toBe(100_000);
      checkLanesFast(strands, rows);
    }
  });

  it("of forks 20,000 deep does not recurse", () => {
    // Each turn has two children and the second continues, so that every strand starts at another.
    const parents = Int32Array.from({ length: 40_001 }, (_, turn) =>
      turn === 0 ? -1 : turn % 2 === 1 ? Math.max(0, turn - 1) : turn - 2,
    );
    const { rows, strands } = outline(sketch(parents), allOpen(40_001));
    expect(rows.count).toBe(40_001);
    checkLanesFast(strands, rows);
    expect(firstTurn(strands, 0)).toBe(0);
  });
});

// As checkLanes, with one assertion for a large tree.
function checkLanesFast(strands: Strands, rows: Rows) {
  const lastRow = new Int32Array(rows.lastLane + 1).fill(-1);
  const byRow = [...Array(strands.count).keys()]
    .filter((strand) => int(rows.from, strand) >= 0)
    .sort((a, b) => int(rows.from, a) - int(rows.from, b));
  let collisions = 0;
  for (const strand of byRow) {
    const lane = int(rows.lane, strand);
    if (int(rows.from, strand) <= int(lastRow, lane)) collisions++;
    lastRow[lane] = int(rows.to, strand);
  }
  expect(collisions).toBe(0);
}
