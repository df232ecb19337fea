import { Progress } from "radix-ui";

interface ProgressBarProps {
  label: string;
  /** From 0 to 1; undefined while the total is unknown. */
  value: number | undefined;
}

/** The progress of a long job. */
export function ProgressBar({ label, value }: ProgressBarProps) {
  const percent = value === undefined ? null : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <Progress.Root
      aria-label={label}
      value={percent}
      className="h-1.5 w-full overflow-hidden rounded-full bg-sunken"
    >
      <Progress.Indicator
        className="h-full rounded-full bg-accent data-[state=indeterminate]:animate-pulse"
        style={{ width: percent === null ? "100%" : `${percent}%` }}
      />
    </Progress.Root>
  );
}
