import { JobProgress } from "@/components/feedback/job-progress";
import { Button } from "@/components/form/button";
import type { About, Job } from "@/lib/api/api";
import { formatBytes, formatPlural } from "@/lib/format/format";
import type { FileWork } from "./use-file-work";

interface DataFileProps {
  about: About | undefined;
  error: Error | null;
  work: FileWork;
}

/** The one file: where it is, what it holds, and how to copy and check it. */
export function DataFile({ about, error, work }: DataFileProps) {
  const { job, running } = work;
  if (error) return <p className="text-error">Could not read the file: {error.message}</p>;
  const stats = about?.stats;
  return (
    <>
      <p className="selectable font-mono [overflow-wrap:anywhere]">{stats?.path ?? "…"}</p>
      <p className="mt-1 text-text-2">
        {stats
          ? [
              formatBytes(stats.sizeBytes),
              formatPlural(stats.sessions, "session"),
              formatPlural(stats.messages, "message"),
              formatPlural(stats.branches, "branch", "branches"),
              `${formatPlural(stats.blobs, "attachment")} (${formatBytes(stats.blobBytes)})`,
            ].join(" · ")
          : "…"}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button disabled={running} onClick={work.backup}>
          Back up…
        </Button>
        <Button disabled={running} onClick={work.check}>
          Check
        </Button>
        <Button disabled={!stats} onClick={() => stats && work.reveal(stats.path)}>
          Show in folder
        </Button>
        {running && (
          <Button variant="quiet" onClick={work.cancel}>
            Cancel
          </Button>
        )}
      </div>
      {job && (
        <div className="mt-3">
          {running ? (
            <JobProgress label={job.kind} job={job} unit="steps" />
          ) : (
            <Outcome job={job} />
          )}
        </div>
      )}
    </>
  );
}

function Outcome({ job }: { job: Job }) {
  if (job.error)
    return (
      <p role="alert" className="selectable text-error [overflow-wrap:anywhere]">
        {job.error}
        {job.hint && <span className="block text-text-2">{job.hint}</span>}
      </p>
    );
  if (job.canceled)
    return (
      <p role="status" className="text-text-2">
        Stopped.
      </p>
    );
  return (
    <p role="status" className="selectable text-text-2 [overflow-wrap:anywhere]">
      {job.kind === "check"
        ? "No damage found: every table, index and reference was read."
        : `Backed up to ${job.path}`}
    </p>
  );
}
