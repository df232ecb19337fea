import { useEffect, useMemo } from "react";
import type { Focus, OnView } from "@/lib/session/location";
import { useWindowState } from "@/lib/store/window-state";
import { type Tree, withTrash } from "@/lib/tree/skeleton";
import { LaidOutTree } from "./laid-out-tree";
import type { LayoutService } from "./layout/layout-service";
import { useLayout } from "./layout/use-layout";
import { useListing } from "./layout/use-listing";
import { usePinned } from "./outline/use-outline";
import { TreeSkeleton } from "./tree-skeleton";
import { useTurn } from "./turn/use-turn";
import { useHoist } from "./use-hoist";

interface TreeViewProps {
  tree: Tree;
  leafUid: string;
  focus: Focus | undefined;
  onView: OnView;
  /** Where it is laid out if it is large. */
  layoutService: LayoutService;
}

/** A tree that has turns: its shape until it is laid out, which takes a large one a moment. */
export function TreeView({ tree, leafUid, focus, onView, layoutService }: TreeViewProps) {
  const leaf = useTurn(tree, leafUid);
  const asked = useTurn(tree, focus?.uid ?? "");
  const shown = asked >= 0 ? asked : leaf;
  const [showsTrash, showTrash] = useWindowState("treeTrash", false as boolean);
  // A requested turn in the trash is shown at its position; turns that are trashed meanwhile are not.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only where someone goes somewhere
  useEffect(() => {
    if (asked >= 0 && tree.inTrash[asked]) showTrash(true);
  }, [focus, asked]);
  const visible = useMemo(() => (showsTrash ? withTrash(tree) : tree), [tree, showsTrash]);
  const [root, hoist] = useHoist(visible, shown);
  const [{ filter, order }] = useListing();
  const pinned = usePinned(visible, shown);
  const layout = useLayout(visible, root, { filter, order, pinned }, layoutService);
  if (!layout) return <TreeSkeleton />;
  return (
    <LaidOutTree
      layout={layout}
      leafUid={leafUid}
      leaf={leaf}
      shown={shown}
      focus={focus}
      onView={onView}
      onHoist={hoist}
      showsTrash={showsTrash}
      onShowTrash={showTrash}
    />
  );
}
