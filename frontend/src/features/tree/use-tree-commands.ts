import { useActions } from "@/actions/action";
import { t } from "@/lib/i18n/i18n";
import { useCommand } from "@/lib/keys/commands";
import type { Tree } from "@/lib/tree/skeleton";
import { allOpen, type Folds, noFolds } from "./layout/folds";
import { foldOthers, type OutlineModel } from "./layout/outline-model";
import { type TurnScene, turnActionList } from "./turn-action-list";

interface TreeCommands {
  tree: Tree;
  model: OutlineModel;
  onFolds: (folds: Folds) => void;
  onFind: () => void;
  /** Only the tree below some turn is shown. */
  isPart: boolean;
  onAll: () => void;
}

/** Registers what can be done with the tree as a whole. */
export function useTreeCommands({ tree, model, onFolds, ...commands }: TreeCommands): void {
  useCommand("find-in-tree", commands.onFind);
  useCommand("expand-all", () => onFolds(allOpen(tree.skeleton.count)));
  useCommand("collapse-all", () => onFolds(noFolds));
  useCommand("fold-others", () => onFolds(foldOthers(model)));
  useCommand("show-whole-tree", commands.onAll, { enabled: commands.isPart });
}

interface TurnCommands extends TurnScene {
  /** The selected turn; -1: none. */
  turn: number;
  marked: ReadonlySet<number>;
  onMark: () => void;
  onMarkAll: () => void;
  /** Turns in the trash of the session. */
  trashed: number;
  showsTrash: boolean;
  onShowTrash: (shown: boolean) => void;
  onEmptyTrash: () => void;
}

/** Registers what can be done with the selected turn, or with those that are marked. */
export function useTurnCommands(scene: TurnCommands): void {
  const { tree, turn, marked } = scene;
  const some = turn >= 0 && turn < tree.skeleton.count;
  const target = some ? { turn, turns: marked.size > 0 ? [...marked] : [turn] } : undefined;
  useActions(turnActionList(scene), () => target, { target });
  useCommand("mark-turn", scene.onMark, { enabled: some });
  useCommand("mark-all", scene.onMarkAll, { enabled: some });
  useTrashCommands(scene);
}

function useTrashCommands({ tending, trashed, showsTrash, ...on }: TurnCommands): void {
  const some = { enabled: trashed > 0 };
  useCommand("show-tree-trash", () => on.onShowTrash(!showsTrash), {
    ...some,
    title: showsTrash ? t("Hide trash of session") : t("Show trash of session"),
  });
  useCommand("restore-turns", tending.restoreAll, some);
  useCommand("empty-tree-trash", on.onEmptyTrash, some);
}
