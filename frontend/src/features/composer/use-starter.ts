import { useCallback, useState } from "react";
import { type ApiError, api, type RunRequest, toApiError } from "@/lib/api";
import { refreshRun } from "@/lib/runs";

/** The way to start a run, and how the last try went. */
export interface Starter {
  /** It is under way: tools and model are being made ready. */
  starting: boolean;
  failure: { error: ApiError; request: RunRequest } | undefined;
  /** Returns the session that runs now; undefined where it could not be started. */
  start: (request: RunRequest) => Promise<string | undefined>;
  dismiss: () => void;
}

/** Starts runs, one at a time, and remembers why the last one could not begin. */
export function useStarter(): Starter {
  const [starting, setStarting] = useState(false);
  const [failure, setFailure] = useState<Starter["failure"]>();
  const start = useCallback(async (request: RunRequest) => {
    setStarting(true);
    setFailure(undefined);
    try {
      const { sessionId } = await api.startRun(request);
      refreshRun(sessionId);
      return sessionId;
    } catch (reason) {
      setFailure({ error: toApiError(reason), request });
      return undefined;
    } finally {
      setStarting(false);
    }
  }, []);
  return { starting, failure, start, dismiss: useCallback(() => setFailure(undefined), []) };
}
