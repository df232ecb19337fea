import { partAt, type Tree } from "@/lib/tree/skeleton";
import { useMessagePlace } from "@/lib/tree/tree";

/** The turn that a message belongs to; -1 for none, and until Go answers. */
export function useTurn(tree: Tree, uid: string): number {
  const isHead = uid !== "" && uid === tree.head;
  const place = useMessagePlace(tree.sessionId, isHead ? "" : uid);
  if (isHead) return tree.headTurn;
  return place ? partAt(tree.skeleton, place.turn, place.depth ?? -1) : -1;
}
