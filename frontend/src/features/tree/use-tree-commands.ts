import { useCommand } from "@/lib/commands";
import { allButPath, allOpen, type Folds, noFolds } from "./folds";

/** How the tree is shown. */
export type TreeTab = "outline" | "map";

interface TreeCommands {
  turnCount: number;
  onTab: (tab: TreeTab) => void;
  onFolds: (folds: Folds) => void;
  onFind: () => void;
  /** Only the tree below some turn is shown. */
  isPart: boolean;
  onHoist: () => void;
  onAll: () => void;
}

/** Registers what can be done with the tree as a whole. */
export function useTreeCommands(commands: TreeCommands): void {
  const { turnCount, onTab, onFolds, onFind } = commands;
  const group = "Tree";
  useCommand("find-in-tree", onFind, {
    title: "Find in the tree",
    keys: "Mod+F",
    group,
    local: true,
  });
  useCommand("show-outline", () => onTab("outline"), { title: "Tree as an outline", group });
  useCommand("show-map", () => onTab("map"), { title: "Tree as a map", group });
  useCommand("expand-all", () => onFolds(allOpen(turnCount)), { title: "Unfold all turns", group });
  useCommand("collapse-all", () => onFolds(noFolds), { title: "Fold turns as at first", group });
  useCommand("fold-others", () => onFolds(allButPath()), {
    title: "Fold all but the path",
    group,
  });
  useCommand("hoist", commands.onHoist, {
    title: "Show only what is below the turn",
    keys: "H",
    group,
    local: true,
  });
  useCommand("show-whole-tree", commands.onAll, {
    title: "Show the whole tree",
    group,
    enabled: commands.isPart,
  });
}
