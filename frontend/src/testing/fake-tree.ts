// Trees of turns of any size, the same for the same seed, for tests, pictures and measurements.

import type { Branch, Session, Tree, Turn } from "@/lib/api";
import { random } from "./fake-content";

/**
 * agent: long chains, 2 % chance to go back about 30 turns. chat: 10 %, about 10. bushy: any turn may
 * answer any other. chain: one path. comb: all alternatives of one turn.
 */
export type TreeShape = "agent" | "chat" | "bushy" | "chain" | "comb";

/** Turn → the turn before it, -1 for the first. */
export function fakeParents(shape: TreeShape, count: number, seed = 1): Int32Array {
  const next = random(seed);
  const parents = new Int32Array(count).fill(-1);
  let above = -1;
  for (let turn = 0; turn < count; turn++) {
    if (turn > 0) above = pickParent(shape, turn, parents, next);
    parents[turn] = above;
  }
  return parents;
}

function pickParent(
  shape: TreeShape,
  turn: number,
  parents: Int32Array,
  next: (below: number) => number,
): number {
  if (shape === "bushy") return next(turn);
  if (shape === "comb") return 0;
  if (shape === "chain") return turn - 1;
  const { chance, back } = shape === "agent" ? { chance: 2, back: 60 } : { chance: 10, back: 20 };
  let parent = turn - 1;
  if (next(100) >= chance) return parent;
  for (let steps = 1 + next(back); steps > 0 && (parents[parent] ?? -1) >= 0; steps--)
    parent = parents[parent] ?? 0;
  return parent;
}

/** A session's tree over the parents, with the head at its newest turn. */
export function fakeTree(session: Session, parents: Int32Array, seed = 1): Tree {
  const next = random(seed);
  const tree: Tree = { session, head: "", headTurn: parents.length - 1, branches: [], turns: [] };
  const continued = new Uint8Array(parents.length);
  parents.forEach((parent, node) => {
    const above = tree.turns[parent];
    const continues = above !== undefined && continued[parent] === 0;
    if (continues) continued[parent] = 1;
    const messages = 2 + next(12);
    const firstDepth = above?.cumulative ?? 0;
    if (!continues) tree.branches.push(fakeBranch(tree.branches.length, above));
    const branch = continues ? above.branch : tree.branches.length - 1;
    const row = tree.branches[branch];
    if (row) row.tipDepth = firstDepth + messages - 1;
    tree.turns.push({
      node,
      parent,
      label: next(60) === 0 ? (labels[next(labels.length)] ?? "") : "",
      messages,
      cumulative: firstDepth + messages,
      branch,
      firstDepth,
      onPath: false,
      firstUid: `${session.id}-t${node}-first`,
      lastUid: `${session.id}-t${node}-last`,
      role: !continues && node > 0 && next(3) === 0 ? "assistant" : "user",
      preview: previews[next(previews.length)] ?? "",
      createdAtMs: session.createdAtMs + node * 90_000,
    });
  });
  for (let at = tree.turns.at(-1); at; at = tree.turns[at.parent]) at.onPath = true;
  tree.head = tree.turns.at(-1)?.lastUid ?? "";
  return tree;
}

function fakeBranch(number: number, above: Turn | undefined): Branch {
  const forkDepth = above ? above.cumulative - 1 : -1;
  return {
    number,
    parent: above ? above.branch : -1,
    forkDepth,
    tipDepth: forkDepth,
    promptDepth: 0,
    createdAtMs: 0,
  };
}

const labels = ["plan", "dead end", "keep", "idea", "before the refactor", "ships", "ask Mira"];
const previews = [
  "Map the module first, then tell me what is risky",
  "What are the options?",
  "Go with the second one, but keep the old API for a release",
  "The test fails on Windows, look at the path separator",
  "Add the sweep job",
  "Write the migration",
  "Why is this slower than before? Measure, do not guess",
  "Undo that, and try it with a table instead",
  "continue",
  "Explain the lock order in one paragraph",
  "Now the same for tokens",
  "Run the benchmarks again with 10,000 rows",
  "Split the file, one noun each",
  "Rename it so that the reader sees what it holds",
  "Does this also work when the disk is full?",
  "Write the release notes",
];
