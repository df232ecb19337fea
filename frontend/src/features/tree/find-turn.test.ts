import { describe, expect, it } from "vitest";
import type { Session } from "@/lib/api";
import { fakeTree } from "@/testing/fake-tree";
import { findTurn, turnAtLocation } from "./find-turn";

const tree = fakeTree({ id: "s" } as Session, Int32Array.of(-1, 0, 1, 0));

describe("the turn of a message", () => {
  it("is found by its first and its last one, and by the head", () => {
    expect(findTurn(tree, "s-t2-first")).toBe(2);
    expect(findTurn(tree, "s-t2-last")).toBe(2);
    expect(findTurn({ ...tree, head: "between", headTurn: 1 }, "between")).toBe(1);
    expect(findTurn(tree, "")).toBe(-1);
    expect(findTurn(tree, "elsewhere")).toBe(-1);
  });

  it("is found by its depth on the path", () => {
    const at = (depth: number, leafUid = "s-t2-last") =>
      turnAtLocation(tree, { sessionId: "s", uid: "", leafUid, depth });
    for (const { node, firstDepth, cumulative } of tree.turns.slice(0, 3)) {
      expect(at(firstDepth)).toBe(node);
      expect(at(cumulative - 1)).toBe(node);
    }
    expect(at(0, "elsewhere")).toBe(-1);
  });
});
