import { Hand } from "lucide-react";
import { useNow } from "@/lib/browser/use-now";
import { formatDuration } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
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
        {waits
          ? t("waits for you")
          : going > 1
            ? t("{{number}} running", { number: going })
            : t("running")}
      </span>
      <span>
        {steps > 0
          ? t("step {{step}} of {{steps}}", { step: run.stepCount + 1, steps })
          : t("step {{step}}", { step: run.stepCount + 1 })}
      </span>
      <span className="tiny:hidden">{clock(now - run.startedAtMs)}</span>
    </>
  );
}

/** Whole seconds: tenths would never stand still. */
function clock(ms: number): string {
  return ms < 59_500 ? `${Math.max(0, Math.floor(ms / 1000))} s` : formatDuration(ms);
}
