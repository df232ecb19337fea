import { useCallback, useState } from "react";
import { toastError } from "@/components/toast";
import { type ApiError, api, type Confirmation, type RunRequest, toApiError } from "@/lib/api";
import { askedBy } from "@/lib/confirmations";
import { refreshRun, watchRun } from "@/lib/runs";

/** Why a run could not begin. */
export interface Failure {
  error: ApiError;
  request: RunRequest;
  models: readonly string[];
  /** What the user has to agree to first. */
  asked: readonly Confirmation[];
}

/** The way to start a run, and how the last try went. */
export interface Starter {
  /** It is under way: tools and model are being made ready. */
  starting: boolean;
  failure: Failure | undefined;
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
      const error = toApiError(reason);
      setFailure({ error, request, models, asked: await askedBy(error, request) });
      return undefined;
    } finally {
      setStarting(false);
    }
  }, []);
  return { starting, failure, start, dismiss: useCallback(() => setFailure(undefined), []) };
}
