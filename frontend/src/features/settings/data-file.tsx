import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/button";
import { JobProgress } from "@/components/job-progress";
import { toastDone, toastError } from "@/components/toast";
import { type About, api, type Job } from "@/lib/api";
import { baseName, formatBytes, formatCount } from "@/lib/format";
import { useJob } from "@/lib/job";

interface DataFileProps {
  about: About | undefined;
  error: Error | null;
}

/** The one file: where it is, what it holds, and how to copy and check it. */
export function DataFile({ about, error }: DataFileProps) {
  const [jobID, setJobID] = useState("");
  const { job } = useJob(jobID);
  const running = job !== undefined && !job.done;
  useOutcome(job);

  const begin = async (failed: string, start: () => Promise<string>) => {
    try {
      setJobID(await start());
    } catch (reason) {
      toastError(failed, reason);
    }
  };
  const backup = () =>
    begin("The backup could not begin", async () => {
      const day = new Date().toISOString().slice(0, 10);
      const path = await api.chooseExportPath(`coppice-${day}.db`);
      return path ? api.startBackup(path) : "";
    });
  if (error) return <p className="text-error">The file could not be read: {error.message}</p>;
  const stats = about?.stats;
  return (
    <>
      <p className="selectable font-mono [overflow-wrap:anywhere]">{stats?.path ?? "…"}</p>
      <p className="mt-1 text-text-2">
        {stats
          ? `${formatBytes(stats.sizeBytes)} · ${formatCount(stats.sessions)} sessions · ${formatCount(stats.messages)} messages · ${formatCount(stats.branches)} branches · ${formatCount(stats.blobs)} attachments (${formatBytes(stats.blobBytes)})`
          : "…"}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button disabled={running} onClick={backup}>
          Back up…
        </Button>
        <Button
          disabled={running}
          onClick={() => begin("The check could not begin", api.startCheck)}
        >
          Check
        </Button>
        <Button disabled={!stats} onClick={() => stats && reveal(stats.path)}>
          Show in folder
        </Button>
        {running && (
          <Button
            variant="quiet"
            onClick={() => {
              api.cancelJob(jobID).catch((reason) => toastError("It could not be stopped", reason));
            }}
          >
            Cancel
          </Button>
        )}
      </div>
      {running && (
        <div className="mt-3">
          <JobProgress label={job.kind} job={job} unit="steps" />
        </div>
      )}
      {job?.done && job.kind === "check" && !job.error && !job.canceled && (
        <p role="status" className="mt-3 text-text-2">
          The file is sound: every table, index and reference was read.
        </p>
      )}
      {job?.done && job.error && (
        <p role="alert" className="selectable mt-3 text-error [overflow-wrap:anywhere]">
          {job.error}
          {job.hint && <span className="block text-text-2">{job.hint}</span>}
        </p>
      )}
    </>
  );
}

function reveal(path: string) {
  api.revealFile(path).catch((reason) => toastError("The folder could not be opened", reason));
}

/** Says once that a backup was written. */
function useOutcome(job: Job | undefined) {
  const told = useRef("");
  useEffect(() => {
    if (!job?.done || told.current === job.id) return;
    told.current = job.id;
    if (job.kind === "backup" && !job.error && !job.canceled)
      toastDone(`Backed up to ${baseName(job.path)}`, {
        label: "Show in folder",
        onClick: () => reveal(job.path),
      });
  }, [job]);
}
