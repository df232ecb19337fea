import { describe, expect, it } from "vitest";
import { encodeSkeleton } from "@/testing/fake-skeleton";
import { sketch } from "@/testing/fake-sketch";
import { fakeParents } from "@/testing/fake-tree";
import {
  compacted,
  cumulative,
  emptySkeleton,
  isPart,
  labelled,
  partAt,
  priced,
  prompt,
  readSkeleton,
  relabel,
  runStatus,
  type Skeleton,
} from "./skeleton";

const none = { head: "", headTurn: -1, branchCount: 0, messageCount: 0, labels: [] };

// A prompt with two answers and a turn after each; then the first answer is divided as well.
const twoAnswers = {
  number: [0, 0, 1, 2, 3],
  parentNumber: [-1, 0, 0, 0, 2],
  branch: [0, 0, 0, 1, 1],
  firstDepth: [0, 1, 3, 1, 2],
  messages: [1, 2, 1, 1, 1],
};

function columns(of: Record<keyof typeof twoAnswers, number[]>): Skeleton {
  const skeleton = emptySkeleton(of.number.length);
  for (const [name, column] of Object.entries(of))
    skeleton[name as keyof typeof twoAnswers].set(column);
  return skeleton;
}

describe("a divided turn", () => {
  const tree = readSkeleton("s", encodeSkeleton({ ...none, skeleton: columns(twoAnswers) }));

  it("is a prompt that its answers are children of", () => {
    expect([...tree.skeleton.parent]).toEqual([-1, 0, 1, 0, 3]);
    expect(partAt(tree.skeleton, 0)).toBe(0);
    expect(partAt(tree.skeleton, 0, 2)).toBe(1);
    expect(partAt(tree.skeleton, 1, 3)).toBe(2);
    expect(partAt(tree.skeleton, 4)).toBe(-1);
    expect([0, 1, 2].map((turn) => isPart(tree.skeleton, turn))).toEqual([true, true, false]);
  });

  it("is divided again when a branch begins in a part of it", () => {
    const grown = columns({
      number: [0, 0, 0, 4],
      parentNumber: [-1, 0, 0, 0],
      branch: [0, 0, 0, 2],
      firstDepth: [0, 1, 2, 2],
      messages: [1, 1, 1, 1],
    });
    const { skeleton } = readSkeleton(
      "s",
      encodeSkeleton({ ...none, skeleton: grown }, [0, 1, 2, 3]),
      tree,
    );
    expect([...skeleton.number]).toEqual([0, 0, 0, 1, 2, 3, 4]);
    expect([...skeleton.parent]).toEqual([-1, 0, 1, 2, 0, 4, 1]);
  });
});

// The turns as a list of plain objects: a slow and simple implementation.
function plain(skeleton: Skeleton) {
  return Array.from({ length: skeleton.count }, (_, turn) => [
    skeleton.parent[turn],
    skeleton.branch[turn],
    skeleton.firstDepth[turn],
    skeleton.messages[turn],
    skeleton.tokens[turn],
    skeleton.flags[turn],
    skeleton.costNanoUsd[turn],
    skeleton.createdAtMs[turn],
  ]);
}

// A tree as it was with this many turns.
function earlier(whole: Skeleton, count: number): Skeleton {
  const cut = { ...whole, count };
  for (const name of Object.keys(whole) as (keyof Skeleton)[])
    if (name !== "count") (cut[name] as unknown) = whole[name].slice(0, count);
  return cut;
}

function example(count: number, seed: number): Skeleton {
  const skeleton = sketch(fakeParents("chat", count, seed));
  for (let turn = 0; turn < count; turn++) {
    skeleton.messages[turn] = 1 + ((turn * 7 + seed) % 9);
    skeleton.tokens[turn] = turn * 1000;
    skeleton.flags[turn] = turn % 128;
    skeleton.costNanoUsd[turn] = turn * 1_234_567_891;
    skeleton.createdAtMs[turn] = 1_790_000_000_000 + turn;
  }
  return skeleton;
}

describe("a skeleton", () => {
  for (const seed of [1, 2, 3, 4, 5])
    it(`that grows in pieces is the one that comes whole, seed ${seed}`, () => {
      const whole = example(60, seed);
      let tree = readSkeleton("s", encodeSkeleton({ ...none, skeleton: earlier(whole, 1) }));
      for (let count = 1; count < 60; ) {
        const more = Math.min(60, count + 1 + ((seed * 5 + count) % 7));
        // An older turn may have grown as well.
        const changed = [
          count >> 1,
          ...Array.from({ length: more - count }, (_, at) => count + at),
        ];
        const bytes = encodeSkeleton({ ...none, skeleton: earlier(whole, more) }, changed);
        const before = plain(tree.skeleton);
        const grown = readSkeleton("s", bytes, tree);
        expect(plain(tree.skeleton)).toEqual(before);
        tree = grown;
        count = more;
      }
      expect(plain(tree.skeleton)).toEqual(plain(whole));
    });

  it("that comes whole forgets what was known", () => {
    const before = readSkeleton("s", encodeSkeleton({ ...none, skeleton: example(50, 1) }));
    const after = readSkeleton("s", encodeSkeleton({ ...none, skeleton: example(20, 2) }), before);
    expect(plain(after.skeleton)).toEqual(plain(example(20, 2)));
  });

  it("has head, counts and labels, and marks what is labelled", () => {
    const labels = [{ turn: 3, text: "plan — 計画" }];
    const bytes = encodeSkeleton({
      skeleton: sketch([-1, 0, 1, 2]),
      head: "uid-7",
      headTurn: 3,
      branchCount: 2,
      messageCount: 9,
      labels,
    });
    const tree = readSkeleton("s", bytes);
    expect([tree.head, tree.headTurn, tree.branchCount, tree.messageCount]).toEqual([
      "uid-7",
      3,
      2,
      9,
    ]);
    expect(tree.labels.get(3)).toBe("plan — 計画");
    expect([...tree.skeleton.flags]).toEqual([prompt, prompt, prompt, prompt | labelled]);
    const other = relabel(relabel(tree, 3, "", ""), 0, "start", "teal");
    expect([...other.skeleton.flags]).toEqual([prompt | labelled, prompt, prompt, prompt]);
    expect([...other.labels]).toEqual([[0, "start"]]);
    expect([...other.colors]).toEqual([[0, "teal"]]);
    expect(tree.labels.has(3)).toBe(true);
  });

  it("tells the runs that began with turns", () => {
    expect(runStatus(prompt | priced)).toBe("");
    expect(runStatus(compacted | (1 << 4))).toBe("running");
    expect(runStatus((6 << 4) | labelled)).toBe("hibernated");
  });

  it("counts the messages of a path", () => {
    const skeleton = example(10, 1);
    expect(cumulative(skeleton, 4)).toBe(
      (skeleton.firstDepth[4] ?? 0) + (skeleton.messages[4] ?? 0),
    );
  });

  it("of another form is refused", () => {
    expect(() => readSkeleton("s", new ArrayBuffer(64))).toThrow("cannot read");
  });
});
