import { describe, expect, it } from "vitest";
import { sketch } from "@/testing/fake-sketch";
import { fakeParents, type TreeShape } from "@/testing/fake-tree";
import type { Filter } from "./filter";
import { allOpen, noFolds } from "./folds";
import type { SiblingOrder } from "./fork-order";
import { freshOutline } from "./fresh-outline";
import { layOut } from "./layout";
import { groundOf, modelOf } from "./outline-model";

const shapes: TreeShape[] = ["agent", "chat", "bushy", "chain", "comb"];
const filters: Filter[] = ["all", "prompts", "labelled"];
const orders: SiblingOrder[] = ["oldest", "newest"];
const count = 400;

describe("an outline that was made with the layout", () => {
  for (const shape of shapes)
    for (const filter of filters)
      for (const order of orders)
        it(`is the one that would be made of it: ${shape}, ${filter}, ${order}`, () => {
          const skeleton = sketch(fakeParents(shape, count));
          const layout = layOut(skeleton);
          const pinned = [count - 1, 7];
          const outline = freshOutline(skeleton, layout.strands, { filter, order, pinned });
          const made = groundOf({ ...layout, outline }, filter, order, pinned);
          const plain = groundOf(layout, filter, order, pinned);
          expect(made.fresh).toBe(outline.rows);
          for (const folds of [noFolds, allOpen(count)]) {
            const { fresh: _, ...wanted } = modelOf(plain, folds) as ReturnType<typeof modelOf> & {
              fresh: unknown;
            };
            expect(modelOf(made, folds)).toMatchObject(wanted);
          }
        });

  it("does not stand for another choice", () => {
    const skeleton = sketch(fakeParents("chat", count));
    const layout = layOut(skeleton);
    const choice = { filter: "all", order: "oldest", pinned: [1] } as const;
    const outline = freshOutline(skeleton, layout.strands, choice);
    const ground = (filter: Filter, order: SiblingOrder, pinned: number[]) =>
      groundOf({ ...layout, outline }, filter, order, pinned).fresh;
    expect(ground("all", "oldest", [1])).toBe(outline.rows);
    expect(ground("prompts", "oldest", [1])).toBeUndefined();
    expect(ground("all", "newest", [1])).toBeUndefined();
    expect(ground("all", "oldest", [2])).toBeUndefined();
    expect(ground("all", "oldest", [1, 2])).toBeUndefined();
  });
});
