import { useCallback, useState } from "react";
import { toastError } from "@/components/toast";
import { type ApiError, api, type RunRequest, toApiError } from "@/lib/api";
import { refreshRun, watchRun } from "@/lib/runs";

/** The way to start a run, and how the last try went. */
export interface Starter {
  /** It is under way: tools and model are being made ready. */
  starting: boolean;
  failure: { error: ApiError; request: RunRequest; models: readonly string[] } | undefined;
  /** Starts a run, or one for each of several models side by side. Returns the session that runs now; undefined where it could not be started. */
  start: (request: RunRequest, models?: readonly string[]) => Promise<string | undefined>;
  dismiss: () => void;
}

/** Starts runs, one at a time, and remembers why the last one could not begin. */
export function useStarter(): Starter {
  const [starting, setStarting] = useState(false);
  const [failure, setFailure] = useState<Starter["failure"]>();
  const start = useCallback(async (request: RunRequest, models: readonly string[] = []) => {
    setStarting(true);
    setFailure(undefined);
    try {
      const started =
        models.length > 1
          ? await api.startRuns(request, [...models])
          : [await api.startRun(request)];
      for (const { problem } of started)
        if (problem !== "") toastError("One of the models could not begin", problem);
      const sessionId = started[0]?.sessionId ?? "";
      watchRun(sessionId, "");
      refreshRun(sessionId);
      return sessionId;
    } catch (reason) {
      setFailure({ error: toApiError(reason), request, models });
      return undefined;
    } finally {
      setStarting(false);
    }
  }, []);
  return { starting, failure, start, dismiss: useCallback(() => setFailure(undefined), []) };
}
