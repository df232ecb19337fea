// A tree in the bytes that Go sends, see app/window/skeleton.go.

import type { Turn } from "@/lib/api/api";
import {
  compacted,
  emptySkeleton,
  priced,
  prompt,
  type Skeleton,
  tools,
} from "@/lib/tree/skeleton";

/** What a skeleton is made of. */
export interface FakeTree {
  head: string;
  headTurn: number;
  branchCount: number;
  messageCount: number;
  turns: Turn[];
  /** Turn → what it used. */
  sums: { tokens: number; costNanoUsd: number; flags: number }[];
}

/** The flags of a turn by what is said in it. */
export function fakeFlags(messages: readonly { role: string; kind: string }[]): number {
  let flags = 0;
  for (const { role, kind } of messages) {
    if (role === "user" && kind === "message") flags |= prompt;
    if (role === "tool") flags |= tools;
    if (kind === "compaction") flags |= compacted;
  }
  return flags;
}

/** A tree as columns, with the words that go with it. */
interface EncodedTree {
  skeleton: Skeleton;
  head: string;
  headTurn: number;
  headDepth?: number;
  branchCount: number;
  messageCount: number;
  labels: { turn: number; text: string }[];
}

/** The bytes of a fake tree; all of it, whatever is known. */
export function encodeFake(tree: FakeTree): ArrayBuffer {
  const skeleton = emptySkeleton(tree.turns.length);
  tree.turns.forEach((turn, at) => {
    const { tokens, costNanoUsd, flags } = tree.sums[at] ?? { tokens: 0, costNanoUsd: 0, flags: 0 };
    skeleton.parentNumber[at] = turn.parent;
    skeleton.branch[at] = turn.branch;
    skeleton.firstDepth[at] = turn.firstDepth;
    skeleton.messages[at] = turn.messages;
    skeleton.createdAtMs[at] = turn.createdAtMs;
    skeleton.tokens[at] = tokens;
    skeleton.costNanoUsd[at] = costNanoUsd;
    skeleton.flags[at] = flags | (costNanoUsd > 0 ? priced : 0);
  });
  const labels = tree.turns
    .filter(({ label }) => label !== "")
    .map(({ node, label }) => ({ turn: node, text: label }));
  return encodeSkeleton({ ...tree, skeleton, labels });
}

/** Lays a tree out as app/window/skeleton.go does: all of it, or only the turns in `changed`. */
export function encodeSkeleton(tree: EncodedTree, changed?: readonly number[]): ArrayBuffer {
  const { skeleton } = tree;
  const turns = changed ?? [...skeleton.number.keys()];
  const { head: headUid, labels } = tree;
  const tail = new TextEncoder().encode(
    JSON.stringify({ head: headUid, labels, bookmarks: [], checkpoints: [], main: -1, hidden: [] }),
  );
  const bytes = new ArrayBuffer(40 + turns.length * 49 + tail.length);
  const view = new DataView(bytes);
  new Uint8Array(bytes).set(new TextEncoder().encode("CSK3"));
  const { count } = skeleton;
  const { branchCount, messageCount, headTurn } = tree;
  const turnCount = (skeleton.number[count - 1] ?? -1) + 1;
  const numbers = [turns.length, turnCount, branchCount, messageCount, headTurn];
  numbers.push(0, changed ? 0 : 1, tail.length, tree.headDepth ?? -1);
  for (const [place, number] of numbers.entries()) view.setInt32(4 + 4 * place, number, true);
  let at = 40;
  for (const column of [skeleton.createdAtMs, skeleton.costNanoUsd, skeleton.estimatedCostNanoUsd])
    for (const turn of turns) {
      view.setFloat64(at, column[turn] ?? 0, true);
      at += 8;
    }
  const { number, parentNumber, branch, firstDepth, messages, tokens } = skeleton;
  for (const column of [number, parentNumber, branch, firstDepth, messages, tokens])
    for (const turn of turns) {
      view.setInt32(at, column[turn] ?? 0, true);
      at += 4;
    }
  for (const turn of turns) view.setUint8(at++, (skeleton.flags[turn] ?? 0) & 127);
  new Uint8Array(bytes).set(tail, at);
  return bytes;
}
