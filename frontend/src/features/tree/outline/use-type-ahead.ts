import { useCallback, useRef } from "react";
import { api } from "@/lib/api/api";
import { TypeAhead } from "@/lib/browser/type-ahead";
import { partAt, type Tree } from "@/lib/tree/skeleton";
import { int } from "../layout/columns";
import type { OutlineModel } from "../layout/outline-model";
import { beginsWith } from "../turn/turn-name";
import type { TurnWords } from "../turn/turn-words";

interface Typing {
  tree: Tree;
  words: TurnWords;
  model: OutlineModel;
  cursor: number;
  onSelect: (turn: number) => void;
  /** Selects a turn that may be folded away. */
  onReveal: (turn: number) => void;
}

/**
 * Jumps to the next turn that begins with what is typed: among those whose words are here at once, else among
 * all, which Go knows.
 */
export function useTypeAhead(typing: Typing) {
  const newest = useRef(typing);
  newest.current = typing;
  const state = useRef(new TypeAhead());
  const type = useCallback((letter: string) => {
    const { tree, words, model, cursor, onSelect } = newest.current;
    const { rows } = model;
    const row = state.current.type(
      letter,
      rows.count,
      cursor,
      (at, word) => int(rows.chain, at) === 0 && beginsWith(tree, words, int(rows.turn, at), word),
    );
    if (row >= 0) return onSelect(int(rows.turn, row));
    const { word } = state.current;
    // Where it fails nothing is jumped to, as if nothing began with it.
    void api
      .findTurnsBeginning(tree.sessionId, word)
      .then((turns) => {
        const parts = turns.map((turn) => partAt(tree.skeleton, turn));
        if (state.current.word === word) jump(parts, newest.current);
      })
      .catch(() => undefined);
  }, []);
  return { type, isActive: () => state.current.isActive() };
}

function jump(turns: readonly number[], { model, cursor, onSelect, onReveal }: Typing) {
  const { rows } = model;
  const found = new Set(turns);
  for (let step = 0; step < rows.count; step++) {
    const row = (Math.max(cursor, 0) + step) % rows.count;
    if (int(rows.chain, row) === 0 && found.has(int(rows.turn, row)))
      return onSelect(int(rows.turn, row));
  }
  const [first] = turns;
  if (first !== undefined) onReveal(first);
}
