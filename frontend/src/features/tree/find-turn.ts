import type { Location, Tree } from "@/lib/api";

/** The turn that begins or ends with the message, or has it as the session's head; -1 where that cannot be told. */
export function findTurn(tree: Tree, uid: string): number {
  if (uid === "") return -1;
  if (uid === tree.head) return tree.headTurn;
  return tree.turns.findIndex(({ firstUid, lastUid }) => lastUid === uid || firstUid === uid);
}

/** The turn of any message, from where Go says that it stands; -1 where the tree does not have it yet. */
export function turnAtLocation(tree: Tree, { leafUid, depth }: Location): number {
  let turn = tree.turns[findTurn(tree, leafUid)];
  while (turn && turn.firstDepth > depth) turn = tree.turns[turn.parent];
  return turn?.node ?? -1;
}
