import {
  keepPreviousData,
  type QueryClient,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { restoreCheckpoint } from "@/actions/session-changes";
import { toastDone, toastError } from "@/components/feedback/toast";
import { api, type Checkpoint } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import type { OnView } from "@/lib/session/location";
import type { CheckpointActions } from "./checkpoint-actions";

/** How many more are listed at a time. */
const pageSize = 200;

/** The newest checkpoints of a session, and a way to list older ones. */
export function useCheckpoints(sessionId: string) {
  const [limit, setLimit] = useState(pageSize);
  const query = useQuery({
    queryKey: keys.checkpoints(sessionId, limit),
    queryFn: () => api.listCheckpoints(sessionId, limit),
    placeholderData: keepPreviousData,
  });
  return { ...query, showOlder: () => setLimit(limit + pageSize) };
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
        onMoved: (headUid) => onView({ leafUid: headUid, focusUid: headUid }),
        onUndone: () => onView({ leafUid }),
      });
    async function remove({ id, name }: Checkpoint) {
      await api.removeCheckpoint(sessionId, id);
      toastDone(`Removed checkpoint ${name}`);
    }
    return {
      view: (checkpoint) =>
        void view(checkpoint).catch(failed(`Could not show ${checkpoint.node}`)),
      restore: (checkpoint) =>
        void restore(checkpoint).catch(failed(`Could not restore checkpoint ${checkpoint.id}`)),
      name: onName,
      remove: (checkpoint) =>
        void remove(checkpoint).catch(failed(`Could not remove checkpoint ${checkpoint.id}`)),
    };
  }, [client, sessionId, leafUid, isShown, onView, onName]);
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
