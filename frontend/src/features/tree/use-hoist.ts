import { useCallback, useEffect, useRef, useState } from "react";
import { parentOf, type Tree } from "@/lib/tree/skeleton";
import { byte } from "./layout/columns";
import { wholeTree } from "./layout/strands";

/**
 * The turn below which the tree is shown, -1 for all of it, and the way to change it. All is shown again when the
 * transcript goes to a turn (`shown`) that is elsewhere.
 */
export function useHoist({ skeleton }: Tree, shown: number): [number, (turn: number) => void] {
  const [root, setRoot] = useState(wholeTree);
  const isThere = root >= 0 && root < skeleton.count && !byte(skeleton.hidden, root);
  const kept = isThere ? root : wholeTree;
  const before = useRef(shown);
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    let at = shown;
    while (at > kept) at = parentOf(skeleton, at);
    if (kept >= 0 && shown >= 0 && at !== kept) setRoot(wholeTree);
  }, [skeleton, shown, kept]);
  return [
    kept,
    useCallback((turn: number) => setRoot((now) => (now === turn ? wholeTree : turn)), []),
  ];
}
