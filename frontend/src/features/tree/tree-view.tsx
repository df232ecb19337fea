import type { Focus, OnView } from "@/lib/place";
import type { Tree } from "@/lib/skeleton";
import { LaidOutTree } from "./laid-out-tree";
import { TreeSkeleton } from "./tree-skeleton";
import { useHoist } from "./use-hoist";
import { useLayout } from "./use-layout";
import { useTurn } from "./use-turn";

interface TreeViewProps {
  tree: Tree;
  leafUid: string;
  focus: Focus | undefined;
  onView: OnView;
}

/** A tree that has turns: its shape until it is laid out, which takes a large one a moment. */
export function TreeView({ tree, leafUid, focus, onView }: TreeViewProps) {
  const leaf = useTurn(tree, leafUid);
  const asked = useTurn(tree, focus?.uid ?? "");
  const shown = asked >= 0 ? asked : leaf;
  const [root, hoist] = useHoist(tree, shown);
  const layout = useLayout(tree, leaf, root);
  if (!layout) return <TreeSkeleton />;
  return (
    <LaidOutTree
      layout={layout}
      leafUid={leafUid}
      shown={shown}
      focus={focus}
      onView={onView}
      onHoist={hoist}
    />
  );
}
