import type { Tree } from "@/lib/api";
import { LaidOutTree } from "./laid-out-tree";
import { TreeSkeleton } from "./tree-skeleton";
import type { OnView } from "./turn-actions";
import { useLayout } from "./use-layout";
import { useTurn } from "./use-turn";

interface TreeViewProps {
  tree: Tree;
  leafUid: string;
  focusUid: string | null;
  onView: OnView;
}

/** A tree that has turns: its shape until it is laid out, which takes a large one a moment. */
export function TreeView({ tree, leafUid, focusUid, onView }: TreeViewProps) {
  const leaf = useTurn(tree, leafUid);
  const layout = useLayout(tree, leaf);
  if (!layout) return <TreeSkeleton />;
  return <LaidOutTree layout={layout} leafUid={leafUid} focusUid={focusUid} onView={onView} />;
}
