import { parentOf, partAt, type Tree } from "@/lib/tree/skeleton";

/** A turn above the one on screen that is worth a stop. */
interface Crumb {
  turn: number;
  /** Its label; empty: it has none, and is known by its words. */
  label: string;
}

/**
 * The way to a turn: those above it that begin a branch or have a label, and the turn itself, top down; of a long way the
 * last ones. The first turn alone is no way: its words are the title's. O(depth), no recursion.
 */
export function crumbsOf({ skeleton, labels }: Tree, turn: number, most: number): Crumb[] {
  const crumbs: Crumb[] = [];
  const end = partAt(skeleton, turn);
  let at = end;
  for (; at >= 0 && crumbs.length < most; at = parentOf(skeleton, at)) {
    const label = labels.get(at) ?? "";
    const above = parentOf(skeleton, at);
    const forks = above >= 0 && skeleton.branch[above] !== skeleton.branch[at];
    if (at === end || label || forks) crumbs.push({ turn: skeleton.number[at] ?? at, label });
  }
  const isBeginning = parentOf(skeleton, end) < 0 && !crumbs[0]?.label;
  return isBeginning ? [] : crumbs.reverse();
}
