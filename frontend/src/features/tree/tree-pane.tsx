import { EmptyState } from "@/components/feedback/empty-state";
import { ErrorState } from "@/components/feedback/error-state";
import type { Session } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import type { Focus, OnView } from "@/lib/session/location";
import { useTree } from "@/lib/tree/tree";
import type { LayoutService } from "./layout/layout-service";
import { TreeSkeleton } from "./tree-skeleton";
import { TreeView } from "./tree-view";
import { useLooksCommands } from "./use-looks";

interface TreePaneProps {
  session: Session;
  /** The end of the path on screen; empty before the first message. */
  leafUid: string;
  /** The message that the transcript shows. */
  focus: Focus | undefined;
  onView: OnView;
  /** Where large trees are laid out. */
  layoutService: LayoutService;
}

/** A session's tree, as an outline and as a map. */
export function TreePane({ session, leafUid, focus, onView, layoutService }: TreePaneProps) {
  const { data: tree, error, refetch } = useTree(session.id);
  useLooksCommands(session.id, tree?.skeleton.count !== 0);
  if (error && !tree)
    return (
      <ErrorState
        title={t("Could not read the tree")}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!tree) return <TreeSkeleton />;
  if (tree.skeleton.count === 0)
    return (
      <EmptyState
        title={t("No messages yet")}
        text={t(
          "Write a message to start. Each prompt becomes a turn here, and each alternative a branch.",
        )}
      />
    );
  return (
    <TreeView
      key={session.id}
      tree={tree}
      leafUid={leafUid}
      focus={focus}
      onView={onView}
      layoutService={layoutService}
    />
  );
}
