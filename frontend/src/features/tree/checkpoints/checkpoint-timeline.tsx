import { useCallback, useState } from "react";
import { actionEntries, useActions } from "@/actions/action";
import { EmptyState } from "@/components/feedback/empty-state";
import { ErrorState } from "@/components/feedback/error-state";
import { Button } from "@/components/form/button";
import type { Checkpoint } from "@/lib/api/api";
import { useNow } from "@/lib/browser/use-now";
import { t } from "@/lib/i18n/i18n";
import type { OnView } from "@/lib/session/location";
import type { Tree } from "@/lib/tree/skeleton";
import { checkpointMenu } from "./checkpoint-actions";
import { CheckpointList } from "./checkpoint-list";
import { NameDialog } from "./name-dialog";
import { useCheckpointActions, useCheckpoints } from "./use-checkpoints";

interface CheckpointTimelineProps {
  tree: Tree;
  leafUid: string;
  /** Whether a turn is on the path on screen. */
  isShown: (turn: number) => boolean;
  onView: OnView;
}

const minuteMs = 60_000;

/** The checkpoints of a session, newest first: its steps, and those with a name. */
export function CheckpointTimeline({ tree, leafUid, isShown, onView }: CheckpointTimelineProps) {
  const { sessionId } = tree;
  const {
    checkpoints: list,
    isRead,
    isWhole,
    error,
    refetch,
    showOlder,
  } = useCheckpoints(sessionId);
  const nowMs = useNow(minuteMs, true);
  const [selectedId, select] = useState("");
  const [naming, setNaming] = useState<{ checkpoint: Checkpoint | undefined }>();
  const onName = useCallback(
    // The dialog opens after the menu has returned the focus.
    (checkpoint: Checkpoint | undefined) => requestAnimationFrame(() => setNaming({ checkpoint })),
    [],
  );
  const actions = useCheckpointActions({ sessionId, leafUid, isShown, onView, onName });
  const menu = checkpointMenu(actions);
  const target = { checkpoint: list.find(({ id }) => id === selectedId) };
  useActions(menu, () => target, { target });
  return (
    <>
      {error && !isRead ? (
        <ErrorState
          title={t("Could not read the checkpoints")}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : !isRead ? (
        <div className="min-h-0 flex-1" />
      ) : list.length === 0 ? (
        <EmptyState
          title={t("No checkpoints yet")}
          text={t(
            "Each answer of a model that runs here becomes one. Name a point to return to it with its model, mode and limits.",
          )}
          action={
            <Button onClick={() => setNaming({ checkpoint: undefined })}>
              {t("Name checkpoint…")}
            </Button>
          }
        />
      ) : (
        <CheckpointList
          checkpoints={list}
          headUid={tree.head}
          nowMs={nowMs}
          selectedId={selectedId}
          onSelect={select}
          onView={actions.view}
          onRestore={actions.restore}
          menuFor={(checkpoint) => actionEntries(menu, { checkpoint })}
          isWhole={isWhole}
          onEnd={showOlder}
        />
      )}
      {naming && (
        <NameDialog
          sessionId={sessionId}
          checkpoint={naming.checkpoint}
          onClose={() => setNaming(undefined)}
        />
      )}
    </>
  );
}
