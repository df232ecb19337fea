import { type QueryClient, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { restoreCheckpoint } from "@/actions/session-changes";
import { toastDone, toastError } from "@/components/feedback/toast";
import { api, type Checkpoint } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { t } from "@/lib/i18n/i18n";
import { noChoice, useChoice } from "@/lib/session/choice";
import type { OnView } from "@/lib/session/location";
import type { CheckpointActions } from "./checkpoint-actions";

/** How many are read at a time. */
const pageSize = 200;
const none: readonly Checkpoint[] = [];

/** The checkpoints of a session, newest first, and a way to read older ones, which are read page by page. */
export function useCheckpoints(sessionId: string) {
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: keys.checkpoints(sessionId),
    queryFn: ({ pageParam }) => api.listCheckpoints(sessionId, pageParam, pageSize),
    initialPageParam: "",
    getNextPageParam: ({ checkpoints, more }) => (more ? checkpoints.at(-1)?.id : undefined),
  });
  const pages = data?.pages;
  const checkpoints = useMemo(() => pages?.flatMap((page) => page.checkpoints) ?? none, [pages]);
  const canRead = hasNextPage && !isFetching;
  const showOlder = useCallback(() => {
    if (canRead) void fetchNextPage();
  }, [canRead, fetchNextPage]);
  return {
    checkpoints,
    isRead: data !== undefined,
    isWhole: !hasNextPage,
    error,
    refetch,
    showOlder,
  };
}

interface Scene {
  sessionId: string;
  leafUid: string;
  /** Whether a turn is on the path on screen. */
  isShown: (turn: number) => boolean;
  onView: OnView;
  /** Asks for a name. */
  onName: (checkpoint: Checkpoint | undefined) => void;
}

/** The actions on the checkpoints of a session. A failure is shown in a toast. */
export function useCheckpointActions(scene: Scene): CheckpointActions {
  const { sessionId, leafUid, isShown, onView, onName } = scene;
  const client = useQueryClient();
  const [choice, choose] = useChoice(sessionId);
  return useMemo(() => {
    const failed = (title: string) => (error: unknown) => toastError(title, error);
    async function view({ uid, turn }: Checkpoint) {
      const leaf = isShown(turn) ? leafUid : (await api.locate(sessionId, uid)).leafUid;
      onView({ leafUid: leaf, focusUid: uid });
    }
    const restore = (checkpoint: Checkpoint) =>
      restoreCheckpoint(client, {
        sessionId,
        checkpoint,
        onMoved: (headUid) => {
          // What was chosen for the next run would override the settings of the checkpoint.
          choose({ ...noChoice, review: choice.review });
          onView({ leafUid: headUid, focusUid: headUid });
        },
        onUndone: () => {
          choose(choice);
          onView({ leafUid });
        },
      });
    async function remove({ id, name }: Checkpoint) {
      await api.removeCheckpoint(sessionId, id);
      toastDone(t("Removed checkpoint {{name}}", { name }));
    }
    return {
      view: (checkpoint) =>
        void view(checkpoint).catch(
          failed(t("Could not show {{message}}", { message: checkpoint.node })),
        ),
      restore: (checkpoint) =>
        void restore(checkpoint).catch(
          failed(t("Could not restore checkpoint {{id}}", { id: checkpoint.id })),
        ),
      name: onName,
      remove: (checkpoint) =>
        void remove(checkpoint).catch(
          failed(t("Could not remove checkpoint {{id}}", { id: checkpoint.id })),
        ),
    };
  }, [client, sessionId, leafUid, choice, choose, isShown, onView, onName]);
}

/** Names a checkpoint's message, or the point that the session continues from. */
export async function nameCheckpoint(
  client: QueryClient,
  sessionId: string,
  checkpoint: Checkpoint | undefined,
  name: string,
): Promise<void> {
  await api.nameCheckpoint(sessionId, checkpoint?.uid ?? "", name);
  await client.invalidateQueries({ queryKey: keys.checkpoints(sessionId) });
}
