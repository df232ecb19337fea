import type { Job } from "@/lib/api/api";
import { formatBytes } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { jobRate, jobShare } from "@/lib/library/job";
import { ProgressBar } from "./progress-bar";

interface JobProgressProps {
  label: string;
  job: Job;
  /** What is counted: "files". */
  unit: string;
}

/** The progress of a job: a bar, its numbers, its rate and the current item. */
export function JobProgress({ label, job, unit }: JobProgressProps) {
  const { done, total, doneBytes, totalBytes, current } = job.progress;
  const rate = jobRate(job);
  const numbers = [
    total > 0 && t("{{done}} of {{total}} {{unit}}", { done, total, unit }),
    totalBytes > 0 &&
      t("{{done}} of {{total}}", { done: formatBytes(doneBytes), total: formatBytes(totalBytes) }),
    rate !== undefined && `${formatBytes(rate)}/s`,
  ].filter(Boolean);
  return (
    <div className="flex flex-col gap-2">
      <ProgressBar label={label} value={jobShare(job)} />
      <p className="text-text-2">{numbers.join(" · ") || t("Starting…")}</p>
      {/* The end of a path says more than its beginning. */}
      <p className="selectable h-4 truncate font-mono text-xs text-text-3 [direction:rtl] text-end">
        <bdi>{current}</bdi>
      </p>
    </div>
  );
}
