import { useCallback, useState } from "react";
import { toastError } from "@/components/feedback/toast";
import { type ApiError, api, type Confirmation, type RunRequest, toApiError } from "@/lib/api/api";
import { askedBy } from "@/lib/api/confirmations";
import { t } from "@/lib/i18n/i18n";
import { refreshRun, watchRun } from "@/lib/run/runs";

/** Why a run could not begin. */
interface Failure {
  error: ApiError;
  request: RunRequest;
  models: readonly string[];
  /** What the user must agree to first. */
  asked: readonly Confirmation[];
}

/** A function to start a run, and the result of the last attempt. */
export interface Starter {
  /** In progress: tools and model are being prepared. */
  starting: boolean;
  failure: Failure | undefined;
  /** Starts a run, or one for each of several models in parallel. Returns the session of the run; undefined if it could not be started. */
  start: (request: RunRequest, models?: readonly string[]) => Promise<string | undefined>;
  dismiss: () => void;
}

/** Starts runs, one at a time, and stores why the last one could not begin. */
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
        if (problem !== "") toastError(t("Could not start one of the models"), problem);
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
