import { renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { emptySkeleton, type Tree } from "@/lib/tree/skeleton";
import { layOut } from "../layout/layout";
import { rowFor } from "../layout/outline-model";
import type { TreeLayout } from "../layout/use-layout";
import { useOutline } from "./use-outline";

// Two first turns: n0 with n1 and n2 behind it, n3 with n4 behind it.
const parents = [-1, 0, 1, -1, 3];

function laidOut(hidden: readonly number[], leaf: number): TreeLayout {
  const skeleton = emptySkeleton(parents.length);
  skeleton.parent.set(parents);
  for (const turn of hidden) skeleton.hidden[turn] = 1;
  const tree: Tree = {
    sessionId: "one",
    skeleton,
    branchCount: 2,
    messageCount: 5,
    head: "head",
    headTurn: leaf,
    labels: new Map(),
    colors: new Map(),
    bookmarks: new Set(),
    checkpoints: new Map(),
    mainTurn: -1,
    inTrash: skeleton.hidden,
    reshapes: hidden.length,
  };
  return { ...layOut(skeleton), tree };
}

function outlined(leaf: number) {
  const { result, rerender } = renderHook(
    ({ hidden, shown }) => useOutline(laidOut(hidden, shown), shown, shown, undefined, null),
    { initialProps: { hidden: [] as number[], shown: leaf } },
  );
  const select = (turn: number) => {
    result.current.select(turn);
    rerender({ hidden: [], shown: leaf });
  };
  return { result, rerender, select };
}

test("a selected turn that goes into the trash gives the cursor to the one above it", () => {
  const { result, rerender, select } = outlined(4);
  select(2);
  rerender({ hidden: [2], shown: 4 });
  expect(result.current.selected).toBe(1);
});

test("a first turn that goes into the trash gives the cursor to what is shown, and gets it back", () => {
  const { result, rerender, select } = outlined(2);
  select(3);
  rerender({ hidden: [3, 4], shown: 2 });
  expect(result.current.selected).toBe(2);
  expect(rowFor(result.current.model, result.current.selected)).toBeGreaterThanOrEqual(0);
  rerender({ hidden: [], shown: 2 });
  expect(result.current.selected).toBe(3);
});

test("where all that was above the path on screen is in the trash, the cursor goes along to the head", () => {
  const { result, rerender } = outlined(4);
  rerender({ hidden: [3, 4], shown: 4 });
  rerender({ hidden: [3, 4], shown: 2 });
  expect(result.current.selected).toBe(2);
});
