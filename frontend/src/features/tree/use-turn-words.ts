import { useEffect, useState, useSyncExternalStore } from "react";
import type { Tree } from "@/lib/skeleton";
import { TurnWords } from "./turn-words";

/** The words of a tree's turns, as they come. The caller is drawn again when some have come. */
export function useTurnWords(tree: Tree): TurnWords {
  const [words] = useState(() => new TurnWords(tree));
  // Before anything asks for words of the new tree.
  words.setTree(tree);
  useSyncExternalStore(words.subscribe, words.version);
  return words;
}

/** Asks for the words of what is in sight. */
export function useWanted(words: TurnWords, turns: readonly number[]): void {
  useEffect(() => words.want(turns));
}
