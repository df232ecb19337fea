import { JobProgress } from "@/components/feedback/job-progress";
import { Button } from "@/components/form/button";
import type { About, Job } from "@/lib/api/api";
import { formatBytes, formatPlural } from "@/lib/format/format";
import { fromGo } from "@/lib/i18n/from-go";
import { t } from "@/lib/i18n/i18n";
import type { FileWork } from "./use-file-work";

interface DataFileProps {
  about: About | undefined;
  error: Error | null;
  work: FileWork;
}

/** The one file: where it is, what it holds, and how to copy and check it. */
export function DataFile({ about, error, work }: DataFileProps) {
  const { job, running } = work;
  if (error)
    return (
      <p className="text-error">
        {t("Could not read the file: {{message}}", { message: error.message })}
      </p>
    );
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
          {t("Back up…")}
        </Button>
        <Button disabled={running} onClick={work.check}>
          {t("Check")}
        </Button>
        <Button disabled={!stats} onClick={() => stats && work.reveal(stats.path)}>
          {t("Show in folder")}
        </Button>
        {running && (
          <Button variant="quiet" onClick={work.cancel}>
            {t("Cancel")}
          </Button>
        )}
      </div>
      {job && (
        <div className="mt-3">
          {running ? (
            <JobProgress
              label={job.kind === "check" ? t("Check library") : t("Back up library…")}
              job={job}
              unit={t("steps")}
            />
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
        {job.hint && <span className="block text-text-2">{fromGo(job.hint)}</span>}
      </p>
    );
  if (job.canceled)
    return (
      <p role="status" className="text-text-2">
        {t("Stopped.")}
      </p>
    );
  return (
    <p role="status" className="selectable text-text-2 [overflow-wrap:anywhere]">
      {job.kind === "check"
        ? t("No damage found: every table, index and reference was read.")
        : t("Backed up to {{path}}", { path: job.path })}
    </p>
  );
}
