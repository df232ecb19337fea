import { describe, expect, it } from "vitest";
import { sketch } from "@/testing/fake-sketch";
import { fakeParents } from "@/testing/fake-tree";
import { int } from "../layout/columns";
import { allOpen } from "../layout/folds";
import { layOut } from "../layout/layout";
import { groundOf, modelOf } from "../layout/outline-model";
import { forkRise, gutterRow, gutterSize, laneX } from "./gutter";
import { rowHeight } from "./row-height";

describe("the gutter", () => {
  it("draws each strand as one line without gaps, from its first row to its last", () => {
    const skeleton = sketch(fakeParents("bushy", 300, 2));
    const ground = groundOf(layOut(skeleton, 299), "all", "oldest", []);
    const model = modelOf(ground, allOpen(300));
    const { rows, strands } = model;
    const ends = new Map<number, number>();
    for (let row = 0; row < rows.count; row++) {
      for (const { strand, from, to } of gutterRow(model, row).lines) {
        const top = row * rowHeight + from;
        const begin = int(rows.from, strand) * rowHeight + rowHeight / 2;
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

  it("says what a strand leaves in its first row only", () => {
    const model = modelOf(
      groundOf(layOut(sketch([-1, 0, 0, 2]), 1), "all", "oldest", []),
      allOpen(4),
    );
    expect([...model.rows.turn]).toEqual([0, 2, 3, 1]);
    expect([0, 1, 2, 3].map((row) => gutterRow(model, row).leaves)).toEqual([-1, 0, -1, -1]);
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
