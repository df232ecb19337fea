// Long work that Go does: an import, an export, a backup, a check.

import { useQuery } from "@tanstack/react-query";
import { api, type Job } from "./api";
import { keys } from "./query";

/** Events tell of each step; this catches one that was lost. */
const pollMs = 1000;

/** How a job stands, followed until it is done; undefined without an id and before the first answer. */
export function useJob(id: string): { job: Job | undefined; error: unknown } {
  const { data, error } = useQuery({
    queryKey: keys.job(id),
    queryFn: () => api.getJob(id),
    enabled: id !== "",
    refetchInterval: (query) => (query.state.data?.done ? false : pollMs),
  });
  return { job: id === "" ? undefined : data, error };
}

/** How much is done, from 0 to 1: by bytes where they are known, else by pieces; undefined where neither is. */
export function jobShare({ progress }: Job): number | undefined {
  if (progress.totalBytes > 0) return progress.doneBytes / progress.totalBytes;
  if (progress.total > 0) return progress.done / progress.total;
  return undefined;
}

/** Bytes in a second since the job began; undefined in the first second and where no bytes are counted. */
export function jobRate({ progress, startedAtMs }: Job, nowMs = Date.now()): number | undefined {
  const elapsedMs = nowMs - startedAtMs;
  if (elapsedMs < 1000 || progress.doneBytes === 0) return undefined;
  return (progress.doneBytes * 1000) / elapsedMs;
}
