import { Hand } from "lucide-react";
import { useNow } from "@/lib/browser/use-now";
import { formatCount, formatDuration } from "@/lib/format/format";
import type { Live } from "@/lib/run/live";

/** The state of a run: step, time, and whether it waits. */
export function RunStatus({ live }: { live: Live }) {
  const { run } = live;
  const now = useNow(1000, live.running);
  const steps = run.budget.steps ?? 0;
  const going = live.lanes.filter(({ running }) => running).length;
  const waits = live.questions.length > 0;
  return (
    <>
      <span className={`flex items-center gap-1.5 ${waits ? "text-warn" : "text-text-2"}`}>
        {waits ? (
          <Hand size={12} aria-hidden="true" />
        ) : (
          <span aria-hidden="true" className="run-dot" />
        )}
        {waits ? "waits for you" : going > 1 ? `${going} running` : "running"}
      </span>
      <span>
        step {formatCount(run.stepCount + 1)}
        {steps > 0 && ` of ${formatCount(steps)}`}
      </span>
      <span className="tiny:hidden">{clock(now - run.startedAtMs)}</span>
    </>
  );
}

/** Whole seconds: tenths would never stand still. */
function clock(ms: number): string {
  return ms < 59_500 ? `${Math.max(0, Math.floor(ms / 1000))} s` : formatDuration(ms);
}
