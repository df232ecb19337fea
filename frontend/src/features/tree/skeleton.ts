import type { Tree } from "@/lib/api";
import { int } from "./columns";

/** A bit of a skeleton's flags: the turn has a label. */
export const labelled = 1;
/** A bit of a skeleton's flags: the turn begins with a prompt. */
export const prompt = 2;

/** The shape of a tree of turns as columns, whatever it came from; a turn is its number. */
export interface Skeleton {
  count: number;
  /** Turn → the turn before it on its path; -1 for a first one. */
  parent: Int32Array;
  /** Turn → its branch. */
  branch: Int32Array;
  /** Turn → bits. */
  flags: Uint8Array;
}

/** The shape of a tree as Go gives it. */
export function skeletonOf({ turns }: Tree): Skeleton {
  const count = turns.length;
  const parent = new Int32Array(count);
  const branch = new Int32Array(count);
  const flags = new Uint8Array(count);
  for (let turn = 0; turn < count; turn++) {
    const from = turns[turn];
    if (!from) continue;
    parent[turn] = from.parent;
    branch[turn] = from.branch;
    flags[turn] = (from.label !== "" ? labelled : 0) | (from.role === "user" ? prompt : 0);
  }
  return { count, parent, branch, flags };
}

/** The turn before; -1 for a first one, and for a parent that does not come before its child. */
export function parentOf({ parent }: Skeleton, turn: number): number {
  const above = int(parent, turn);
  return above < turn ? above : -1;
}
