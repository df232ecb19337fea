// Long jobs in Go: an import, an export, a backup, a check.

import { useQuery } from "@tanstack/react-query";
import { api, type Job } from "@/lib/api/api";
import { keys } from "@/lib/api/query";

/** Events report each step; this poll catches a lost one. */
const pollMs = 1000;

/** The progress of a job, followed until it is done; undefined without an id and before the first answer. */
export function useJob(id: string): { job: Job | undefined; error: unknown } {
  const { data, error } = useQuery({
    queryKey: keys.job(id),
    queryFn: () => api.getJob(id),
    enabled: id !== "",
    refetchInterval: (query) => (query.state.data?.done ? false : pollMs),
  });
  return { job: id === "" ? undefined : data, error };
}

/** The fraction done, from 0 to 1: by bytes if they are known, otherwise by pieces; undefined if neither is known. */
export function jobShare({ progress }: Job): number | undefined {
  if (progress.totalBytes > 0) return progress.doneBytes / progress.totalBytes;
  if (progress.total > 0) return progress.done / progress.total;
  return undefined;
}

/** Bytes per second since the job began; undefined in the first second and if no bytes are counted. */
export function jobRate({ progress, startedAtMs }: Job, nowMs = Date.now()): number | undefined {
  const elapsedMs = nowMs - startedAtMs;
  if (elapsedMs < 1000 || progress.doneBytes === 0) return undefined;
  return (progress.doneBytes * 1000) / elapsedMs;
}
