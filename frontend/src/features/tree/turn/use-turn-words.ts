import { useEffect, useState } from "react";
import type { Turn } from "@/lib/api/api";
import { useAuthors } from "@/lib/session/authors";
import { useStore } from "@/lib/store/store";
import type { Tree } from "@/lib/tree/skeleton";
import { TurnWords } from "./turn-words";

/** The words of a tree's turns. A component that shows some of them reads those with useWords, so that the others are not drawn again. */
export function useTurnWords(tree: Tree): TurnWords {
  const [words] = useState(() => new TurnWords(tree));
  // Before anything asks for words of the new tree.
  words.setTree(tree);
  const authors = useAuthors(tree.sessionId);
  useEffect(() => words.setAuthors(authors), [words, authors]);
  return words;
}

/** What a turn says; undefined while that is not here, and for -1. The caller is drawn again when it comes or is another. */
export function useWords(words: TurnWords, turn: number): Turn | undefined {
  return useStore(words.version, () => words.get(turn));
}

/** Draws the caller again whenever any words have come, as long as `isOn`. */
export function useEveryWord(words: TurnWords, isOn: boolean): void {
  useStore(words.version, (version) => (isOn ? version : 0));
}

/** Asks for the words of what is in sight. */
export function useWanted(words: TurnWords, turns: readonly number[]): void {
  useEffect(() => words.want(turns));
}
