import { type KeyboardEvent, useCallback, useState } from "react";
import { actionEntries, useActions } from "@/actions/action";
import { EmptyState } from "@/components/feedback/empty-state";
import { ErrorState } from "@/components/feedback/error-state";
import { Button } from "@/components/form/button";
import { ContextMenu } from "@/components/menu/context-menu";
import type { Checkpoint } from "@/lib/api/api";
import { useNow } from "@/lib/browser/use-now";
import type { OnView } from "@/lib/session/location";
import type { Tree } from "@/lib/tree/skeleton";
import { checkpointMenu } from "./checkpoint-actions";
import { CheckpointRow } from "./checkpoint-row";
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
  const { data, error, refetch, showOlder } = useCheckpoints(sessionId);
  const nowMs = useNow(minuteMs, true);
  const [selectedId, select] = useState("");
  const [naming, setNaming] = useState<{ checkpoint: Checkpoint | undefined }>();
  const onName = useCallback(
    // The dialog opens after the menu has returned the focus.
    (checkpoint: Checkpoint | undefined) => requestAnimationFrame(() => setNaming({ checkpoint })),
    [],
  );
  const actions = useCheckpointActions({ sessionId, leafUid, isShown, onView, onName });
  const list = data?.checkpoints ?? [];
  const menu = checkpointMenu(actions);
  const target = { checkpoint: list.find(({ id }) => id === selectedId) };
  useActions(menu, () => target, { target });
  return (
    <>
      {error && !data ? (
        <ErrorState
          title="Could not read the checkpoints"
          error={error}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <div className="min-h-0 flex-1" />
      ) : list.length === 0 ? (
        <EmptyState
          title="No checkpoints yet"
          text="Each answer of a model that runs here becomes one. Name a point to return to it with its model, mode and limits."
          action={
            <Button onClick={() => setNaming({ checkpoint: undefined })}>Name checkpoint…</Button>
          }
        />
      ) : (
        <ContextMenu
          entries={(element) => {
            const id = element.closest("li")?.dataset.checkpoint;
            const checkpoint = list.find((one) => one.id === id);
            return checkpoint ? actionEntries(menu, { checkpoint }) : [];
          }}
        >
          <ul
            aria-label="Checkpoints"
            className="min-h-0 flex-1 overflow-y-auto"
            onKeyDown={moveFocus}
          >
            {list.map((checkpoint, at) => (
              <li key={checkpoint.id} data-checkpoint={checkpoint.id}>
                <CheckpointRow
                  checkpoint={checkpoint}
                  before={list[at + 1]}
                  nowMs={nowMs}
                  isHead={checkpoint.uid === tree.head}
                  onSelect={() => select(checkpoint.id)}
                  onView={() => actions.view(checkpoint)}
                  onRestore={() => actions.restore(checkpoint)}
                />
              </li>
            ))}
            {data.more && (
              <li className="flex justify-center p-3">
                <Button variant="quiet" onClick={showOlder}>
                  Show older
                </Button>
              </li>
            )}
          </ul>
        </ContextMenu>
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

/** Moves the focus to the row above or below. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("button[data-checkpoint]")];
  const next = rows[rows.indexOf(document.activeElement as HTMLElement) + step];
  if (!next) return;
  next.focus();
  event.preventDefault();
}
