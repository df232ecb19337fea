import { describe, expect, it } from "vitest";
import { parentOf } from "@/lib/tree/skeleton";
import { sketch } from "@/testing/fake-sketch";
import { fakeParents } from "@/testing/fake-tree";
import { int } from "../layout/columns";
import { allOpen } from "../layout/folds";
import { layOut } from "../layout/layout";
import { groundOf, modelOf } from "../layout/outline-model";
import { isOnPath, pathEndsOf } from "../layout/path-ends";
import { drawnRow, forkRise, gutterRow, gutterSize, laneX } from "./gutter";
import { rowHeight } from "./row-height";

describe("the gutter", () => {
  it("draws each strand as one line without gaps, from its first row to its last", () => {
    const skeleton = sketch(fakeParents("bushy", 300, 2));
    const ground = groundOf(layOut(skeleton), "all", "oldest", []);
    const model = modelOf(ground, allOpen(300));
    const { rows, strands } = model;
    const ends = new Map<number, number>();
    for (let row = 0; row < rows.count; row++) {
      for (const { strand, from, to, leaves } of gutterRow(model, row)) {
        const top = row * rowHeight + from;
        const begin = int(rows.from, strand) * rowHeight + (leaves < 0 ? rowHeight / 2 : 0);
        expect(top).toBe(ends.get(strand) ?? begin);
        ends.set(strand, row * rowHeight + to);
      }
    }
    for (const [strand, end] of ends) {
      const isTakenOn = int(rows.to, strand) > int(rows.last, strand);
      const bottom = int(rows.to, strand) * rowHeight;
      expect(end).toBe(isTakenOn ? bottom - forkRise : bottom + rowHeight / 2);
    }
    expect(strands.count).toBeGreaterThan(100);
  });

  it("leads from a turn past the first alternative to the others", () => {
    // n0 is followed by n1, and by the fork n2 with n3.
    const model = modelOf(groundOf(layOut(sketch([-1, 0, 0, 2])), "all", "oldest", []), allOpen(4));
    expect([...model.rows.turn]).toEqual([0, 1, 2, 3]);
    const leaves = [0, 1, 2, 3].map((row) =>
      gutterRow(model, row).flatMap(({ strand, leaves: from }) => (from < 0 ? [] : [strand])),
    );
    expect(leaves).toEqual([[], [1], [], []]);
  });

  it("marks the path on screen, and no line moves with it", () => {
    const skeleton = sketch(fakeParents("chat", 200, 4));
    const { strands } = layOut(skeleton);
    const model = modelOf(groundOf(layOut(skeleton), "all", "oldest", []), allOpen(200));
    for (const leaf of [-1, 0, 77, 150, 199]) {
      const viewed = { ...model, path: pathEndsOf(skeleton, strands, leaf) };
      const path = new Set<number>();
      for (let turn = leaf; turn >= 0; turn = parentOf(skeleton, turn)) path.add(turn);
      for (let row = 0; row < model.rows.count; row++) {
        const turn = int(model.rows.turn, row);
        const lines = gutterRow(viewed, row);
        expect(isOnPath(strands, viewed.path, turn)).toBe(path.has(turn));
        expect(lines.map((line) => ({ ...line, isOnPath: false }))).toEqual(gutterRow(model, row));
        const above = lines.findLast(({ to, strand }) => to === 14 && strand === strands.of[turn]);
        if (above) expect(above.isOnPath).toBe(path.has(turn));
      }
    }
  });

  it("draws lines in one place once, however many there are", () => {
    const layout = layOut(sketch(fakeParents("agent", 10_000, 3)));
    const model = modelOf(groundOf(layout, "all", "oldest", []), allOpen(10_000));
    const size = gutterSize(model.rows.lastLane);
    let most = 0;
    for (let row = 0; row < model.rows.count; row += 7) {
      const lines = gutterRow(model, row);
      const drawn = drawnRow(model, row, size);
      most = Math.max(most, lines.length);
      expect(new Set(drawn.map(({ d }) => d)).size).toBe(drawn.length);
      expect(drawn.length).toBeLessThan(40);
      // No place is empty that has a line.
      const places = (all: typeof lines) =>
        new Set(all.map(({ strand, to }) => `${laneX(size, int(model.rows.lane, strand))} ${to}`));
      expect(places(drawn.map(({ line }) => line))).toEqual(places(lines));
    }
    expect(most).toBeGreaterThan(50);
  });

  it("keeps within its width however many lanes there are", () => {
    for (const lanes of [0, 1, 5, 6, 30, 5000]) {
      const size = gutterSize(lanes);
      expect(size.width).toBeLessThanOrEqual(102);
      for (const lane of [0, 1, lanes]) expect(laneX(size, lane)).toBeLessThan(size.width - 9);
      expect(laneX(size, 0)).toBe(18);
    }
  });
});
