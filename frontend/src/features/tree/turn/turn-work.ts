// What was done in the turns of a tree: how long and in how many steps, by their times alone; and which files, failures
// and commits, which takes reading their messages.

import { useMemo } from "react";
import { api, type TurnEffort, type Work, type WorkItem } from "@/lib/api/api";
import type { Tree } from "@/lib/tree/skeleton";
import { int } from "../layout/columns";
import { partOf, TurnFacts } from "./turn-facts";
import type { TurnWords } from "./turn-words";

/** So many turns are asked for at once by their times; */
const effortPortion = 400;
/** and so many whose messages are read. */
const workPortion = 4;

/** What was done in the turns of a tree. */
export interface TurnWork {
  efforts: TurnFacts<TurnEffort>;
  works: TurnFacts<Work>;
}

/** What was done in the turns of a tree, kept from tree to tree as it grows. */
export function useTurnWork(tree: Tree, words: TurnWords): TurnWork {
  // biome-ignore lint/correctness/useExhaustiveDependencies: one for each session, which the words are, too
  const work = useMemo(
    () => ({
      efforts: new TurnFacts(tree, effortPortion, loadEfforts),
      works: new TurnFacts(tree, workPortion, (now, turns) => loadWorks(now, words, turns)),
    }),
    [words],
  );
  // Before anything asks for turns of the new tree.
  work.efforts.setTree(tree);
  work.works.setTree(tree);
  return work;
}

async function loadEfforts(tree: Tree, turns: readonly number[]) {
  const parts = turns.map((turn) => partOf(tree, turn));
  const found = await api.getTurnEfforts(tree.sessionId, parts);
  const byPlace = new Map(found.map((effort) => [`${effort.node} ${effort.firstDepth}`, effort]));
  const { number, firstDepth } = tree.skeleton;
  return turns.map((turn) => byPlace.get(`${number[turn]} ${firstDepth[turn]}`));
}

async function loadWorks(tree: Tree, words: TurnWords, turns: readonly number[]) {
  const { firstDepth, messages } = tree.skeleton;
  return Promise.all(
    turns.map(async (turn) => {
      const last = (await words.read(turn))?.lastUid;
      if (last === undefined) return undefined;
      const span = { from: int(firstDepth, turn), count: int(messages, turn) };
      return api.getTurnWork(tree.sessionId, last, span);
    }),
  );
}

/** The files that a turn changed, the largest change first. */
export function changedFiles(work: Work | undefined): readonly WorkItem[] {
  const items = work?.phases.find(({ kind }) => kind === "edited")?.items ?? [];
  return items.filter(({ added, removed }) => added + removed > 0);
}
