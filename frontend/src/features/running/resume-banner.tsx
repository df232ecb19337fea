import clsx from "clsx";
import { CircleAlert, CirclePause, Play } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/button";
import { toastError } from "@/components/toast";
import { api, type Session } from "@/lib/api";
import { requestOf, useChoice } from "@/lib/choice";
import { useCommand } from "@/lib/commands";
import { formatPlural } from "@/lib/format";
import type { Live } from "@/lib/live";
import { refreshRun } from "@/lib/runs";
import { type Ending, raisedBudget } from "./ending";

interface ResumeBannerProps {
  session: Session;
  live: Live | undefined;
  ending: Ending;
  onStarted: (sessionId: string) => void;
}

/** Says why a session stopped before its end, and lets it go on. */
export function ResumeBanner({ session, live, ending, onStarted }: ResumeBannerProps) {
  const [choice, changeChoice] = useChoice(session.id);
  const [starting, setStarting] = useState(false);
  const [budget, setBudget] = useState(() => raisedBudget(live));
  const { title, reason, hint, tone, action, limit } = ending;
  const Icon = tone === "error" ? CircleAlert : CirclePause;
  const steps = live?.run.stepCount ?? 0;
  const resume = async (summary = false) => {
    if (starting) return;
    setStarting(true);
    const next = limit === "budget" ? { ...choice, budgetUsd: budget.trim() } : choice;
    try {
      await api.startRun({ ...requestOf(session.id, next), summary });
      changeChoice(next);
      refreshRun(session.id);
      onStarted(session.id);
    } catch (error) {
      toastError("The session could not go on", error);
    } finally {
      setStarting(false);
    }
  };
  useCommand("resume-run", () => void resume(), {
    title: `${action}: ${title.toLowerCase()}`,
    keys: "Mod+Shift+Enter",
    group: "Session",
  });
  return (
    <section
      aria-label={title}
      className={clsx(
        "flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border bg-surface px-3 py-2",
        tone === "error" ? "border-error" : "border-border",
      )}
    >
      <Icon
        size={16}
        className={clsx("shrink-0", tone === "error" ? "text-error" : "text-text-2")}
        aria-hidden="true"
      />
      <p className="selectable min-w-40 flex-1 [overflow-wrap:anywhere]">
        <span className="font-semibold">{title}</span>
        {steps > 0 && <span className="text-text-3"> after {formatPlural(steps, "step")}</span>}
        {reason && <span className="block text-text-2">{reason}</span>}
        {hint && <span className="block text-text-3">{hint}</span>}
      </p>
      {limit === "budget" && (
        <label className="flex items-center gap-1.5 text-sm text-text-3">
          Budget $
          <input
            inputMode="decimal"
            aria-label="New budget in dollars"
            className="h-7 w-20 rounded border border-border-strong bg-surface px-2 text-right text-base text-text"
            placeholder="none"
            value={budget}
            onChange={({ target }) => setBudget(target.value)}
          />
        </label>
      )}
      {session.stopReason === "context_full" && (
        <Button disabled={starting} onClick={() => void resume(true)}>
          Continue from a summary
        </Button>
      )}
      <Button variant="primary" disabled={starting} onClick={() => void resume()}>
        <Play size={12} aria-hidden="true" className="fill-current" />
        {starting ? "Starting…" : action}
      </Button>
    </section>
  );
}
