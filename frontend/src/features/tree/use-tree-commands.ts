import { useCommand } from "@/lib/commands";
import type { CopiedTurn } from "@/lib/graft-source";
import type { Tree } from "@/lib/skeleton";
import { byte } from "./layout/columns";
import { allButPath, allOpen, type Folds, noFolds } from "./layout/folds";
import type { Tending } from "./tending/tending";
import type { TurnActions } from "./turn/turn-actions";

interface TreeCommands {
  tree: Tree;
  onFolds: (folds: Folds) => void;
  onFind: () => void;
  /** Only the tree below some turn is shown. */
  isPart: boolean;
  onHoist: () => void;
  onAll: () => void;
}

/** Registers what can be done with the tree as a whole. */
export function useTreeCommands({ tree, onFolds, ...commands }: TreeCommands): void {
  useCommand("find-in-tree", commands.onFind);
  useCommand("expand-all", () => onFolds(allOpen(tree.skeleton.count)));
  useCommand("collapse-all", () => onFolds(noFolds));
  useCommand("fold-others", () => onFolds(allButPath()));
  useCommand("hoist", commands.onHoist);
  useCommand("show-whole-tree", commands.onAll, { enabled: commands.isPart });
}

interface TurnCommands {
  tree: Tree;
  tending: Tending;
  actions: TurnActions;
  copied: CopiedTurn | undefined;
  /** The selected turn; -1: none. */
  turn: number;
  /** What tends acts on these, where there are any. */
  marked: ReadonlySet<number>;
  onLabel: () => void;
  onMark: () => void;
  onMarkAll: () => void;
  /** Turns in the trash of the session. */
  trashed: number;
  showsTrash: boolean;
  onShowTrash: (shown: boolean) => void;
  onEmptyTrash: () => void;
  /** The marked turns are in the trash now. */
  onTrashed: () => void;
}

/** Registers what can be done with the selected turn, or with those that are marked. */
export function useTurnCommands(scene: TurnCommands): void {
  const { tree, tending, actions, copied, turn, marked } = scene;
  const some = turn >= 0 && turn < tree.skeleton.count;
  const inTrash = some && byte(tree.inTrash, turn) === 1;
  const live = { enabled: some && !inTrash };
  const turns = marked.size > 0 ? [...marked] : [turn];
  useCommand("view-turn", () => actions.view(turn), { enabled: some });
  useCommand("continue-turn", () => actions.continueFrom(turn), {
    enabled: some && turn !== tree.headTurn,
  });
  useCommand("compare-turn", () => actions.compare(turn), { enabled: some });
  useCommand("copy-turn", () => actions.copy(turn), { enabled: some });
  useCommand("label-turn", scene.onLabel, live);
  useCommand("bookmark", () => tending.bookmark(turns), {
    enabled: live.enabled,
    title: turns.every((one) => tree.bookmarks.has(one)) ? "Remove the bookmark" : "Bookmark",
  });
  useCommand("set-main", () => tending.setMain(turn), {
    enabled: live.enabled,
    title: turn === tree.mainTurn ? "Main no more" : "Mark the path as main",
  });
  useCommand("mark-turn", scene.onMark, { enabled: some });
  useCommand("mark-all", scene.onMarkAll, { enabled: some });
  useCommand(
    "trash-turns",
    () => {
      tending.trash(turns);
      scene.onTrashed();
    },
    live,
  );
  useCommand("trash-alternatives", () => tending.trashAlternatives(turn), live);
  useCommand("keep-path", () => tending.keepOnly(turn), live);
  useCommand("copy-branch", () => tending.cut(turn, "below"), live);
  useCommand("copy-path", () => tending.cut(turn, "path"), live);
  useCommand("paste-graft", () => copied && tending.graft(copied, turn), {
    enabled: live.enabled && copied !== undefined,
    title: `Paste ${copied?.name ?? "what was copied"} below n${turn}`,
  });
  useCommand("split", () => tending.split(turn), live);
  useTrashCommands(scene, inTrash);
}

function useTrashCommands(scene: TurnCommands, inTrash: boolean) {
  const { tending, turn, trashed, showsTrash } = scene;
  const some = { enabled: trashed > 0 };
  useCommand("show-tree-trash", () => scene.onShowTrash(!showsTrash), {
    ...some,
    title: showsTrash ? "Hide the trash of the session" : "Show the trash of the session",
  });
  useCommand("restore-turn", () => tending.restore(turn), { enabled: inTrash });
  useCommand("restore-turns", tending.restoreAll, some);
  useCommand("empty-tree-trash", scene.onEmptyTrash, some);
}
