import { expect, test } from "vitest";
import { sketch } from "@/testing/fake-sketch";
import { type DropTarget, dropOf } from "./drop";

// 1 and 2 are siblings below 0; 3 is below 1; 4 is in the trash.
const skeleton = sketch([-1, 0, 0, 1, 0]);
const tree = { skeleton, inTrash: Uint8Array.of(0, 0, 0, 0, 1) };
const onto = (target: DropTarget | undefined) => dropOf(tree, 1, target);

test.each([
  [2, { do: "compare", turn: 2 }],
  [0, { do: "copy", turn: 0 }],
  [3, { do: "copy", turn: 3 }],
  [1, undefined],
  [4, undefined],
])("a turn dropped on turn %i", (turn, drop) => {
  expect(onto({ kind: "turn", turn })).toEqual(drop);
});

test("a turn dropped elsewhere", () => {
  expect(onto({ kind: "session", id: "s" })).toEqual({ do: "copy-into", sessionId: "s" });
  expect(onto({ kind: "composer" })).toEqual({ do: "quote" });
  expect(onto(undefined)).toBeUndefined();
});
