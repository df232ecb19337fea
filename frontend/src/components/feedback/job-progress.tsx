import type { Job } from "@/lib/api/api";
import { formatBytes, formatCount } from "@/lib/format/format";
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
    total > 0 && `${formatCount(done)} of ${formatCount(total)} ${unit}`,
    totalBytes > 0 && `${formatBytes(doneBytes)} of ${formatBytes(totalBytes)}`,
    rate !== undefined && `${formatBytes(rate)}/s`,
  ].filter(Boolean);
  return (
    <div className="flex flex-col gap-2">
      <ProgressBar label={label} value={jobShare(job)} />
      <p className="text-text-2">{numbers.join(" · ") || "Starting…"}</p>
      {/* The end of a path says more than its beginning. */}
      <p className="selectable h-4 truncate font-mono text-xs text-text-3 [direction:rtl] text-left">
        <bdi>{current}</bdi>
      </p>
    </div>
  );
}
