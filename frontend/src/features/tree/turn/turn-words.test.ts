import { describe, expect, it } from "vitest";
import { relabel, type Tree } from "@/lib/tree/skeleton";
import { installFake } from "@/testing/fake-api";
import { sketch } from "@/testing/fake-sketch";
import { TurnWords } from "./turn-words";

const tree: Tree = {
  sessionId: "s",
  skeleton: sketch(Array.from({ length: 1000 }, (_, turn) => turn - 1)),
  branchCount: 1,
  messageCount: 1000,
  head: "",
  headTurn: -1,
  labels: new Map(),
  colors: new Map(),
  bookmarks: new Set(),
  checkpoints: new Map(),
  mainTurn: -1,
  inTrash: new Uint8Array(),
  reshapes: 0,
};

function answering() {
  const asked: number[][] = [];
  const { bindings } = installFake({ sessions: 1 });
  bindings.GetTurns = async (_, numbers) => {
    asked.push(numbers);
    return numbers.map((node) => ({
      node,
      parent: node - 1,
      label: "",
      messages: 1,
      cumulative: node + 1,
      branch: 0,
      firstDepth: node,
      onPath: false,
      firstUid: `u${node}`,
      lastUid: `u${node}`,
      role: "user",
      preview: `words of n${node}`,
      createdAtMs: 0,
    }));
  };
  return asked;
}

const settled = () => new Promise((wake) => setTimeout(wake, 30));

describe("the words of turns", () => {
  it("are the same object until they are others", async () => {
    answering();
    const words = new TurnWords(tree);
    words.want([7]);
    await settled();
    expect(words.get(7)).toBe(words.get(7));
    words.setTree(relabel(tree, 7, "plan", ""));
    expect(words.get(7)?.label).toBe("plan");
    expect(words.get(7)).toBe(words.get(7));
  });

  it("are asked for once, what was wanted last first", async () => {
    const asked = answering();
    const words = new TurnWords(tree);
    words.want([1, 2, 3]);
    words.want([2, 999, 1000, -1]);
    expect(words.get(2)).toBeUndefined();
    await settled();
    expect(asked).toEqual([[1, 3, 2, 999]]);
    expect(words.get(999)?.preview).toBe("words of n999");
    words.want([1, 2, 3]);
    await settled();
    expect(asked).toHaveLength(1);
  });

  it("come in portions", async () => {
    const asked = answering();
    const words = new TurnWords(tree);
    words.want(Array.from({ length: 450 }, (_, turn) => turn));
    await settled();
    expect(asked.map((numbers) => numbers.length)).toEqual([200, 200, 50]);
    expect(words.get(0)).toBeDefined();
  });

  it("are read again where a turn has grown, and all where the tree was changed", async () => {
    const asked = answering();
    const words = new TurnWords(tree);
    words.want([4, 5]);
    await settled();
    const skeleton = { ...tree.skeleton, messages: tree.skeleton.messages.with(5, 2) };
    words.setTree({ ...tree, skeleton });
    words.want([4, 5]);
    await settled();
    expect(asked).toEqual([[4, 5], [5]]);
    words.setTree({ ...tree, skeleton, reshapes: 1 });
    expect(words.get(4)).toBeUndefined();
  });

  it("have the label that the tree has", async () => {
    answering();
    const words = new TurnWords(tree);
    await words.read(7);
    words.setTree(relabel(tree, 7, "plan", ""));
    expect(words.get(7)?.label).toBe("plan");
  });

  it("that cannot be read are missing, and nothing else", async () => {
    const { bindings } = installFake({ sessions: 1 });
    bindings.GetTurns = () => Promise.reject({ code: "internal", message: "no" });
    const words = new TurnWords(tree);
    words.want([1]);
    await settled();
    expect(words.get(1)).toBeUndefined();
    await expect(words.read(1)).rejects.toThrow("no");
  });
});
