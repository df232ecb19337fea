import clsx from "clsx";
import { CircleAlert, CirclePause, Play } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/form/button";
import { ConfirmationCard } from "@/components/session/confirmation-card";
import {
  type ApiError,
  api,
  type Confirmation,
  type Lane,
  type Session,
  toApiError,
} from "@/lib/api/api";
import { agreed, askedBy } from "@/lib/api/confirmations";
import { baseName } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import { runCommand, useCommand } from "@/lib/keys/commands";
import type { Live } from "@/lib/run/live";
import { refreshRun, watchRun } from "@/lib/run/runs";
import { requestOf, settle, useChoice, useComposerOptions } from "@/lib/session/choice";
import { type Ending, raisedBudget } from "./ending";
import { useWakeWords } from "./hibernate-dialog";

interface ResumeBannerProps {
  session: Session;
  live: Live | undefined;
  /** The run beside the one that moves the head that has stopped; undefined: that one. */
  lane?: Lane | undefined;
  ending: Ending;
  onStarted: (sessionId: string, headBefore: string) => void;
}

/** Shows why a session stopped before its end, and offers to continue it. */
export function ResumeBanner({ session, live, lane, ending, onStarted }: ResumeBannerProps) {
  const [choice, changeChoice] = useChoice(session.id);
  const options = useComposerOptions(session.id, choice.workspace);
  const [starting, setStarting] = useState(false);
  const [failure, setFailure] = useState<ApiError>();
  /** What the user has to agree to: the next try says that they have. */
  const [asked, setAsked] = useState<readonly Confirmation[]>([]);
  const [budget, setBudget] = useState(() => raisedBudget(live));
  const { title, tone, action, limit, elsewhere, shortens = false } = ending;
  const reason = failure
    ? t("Could not continue: {{message}}", { message: failure.message })
    : ending.reason;
  const wakes = useWakeWords(session);
  const { hint } =
    failure ?? (wakes ? { hint: t("Continues by itself {{when}}.", { when: wakes }) } : ending);
  const wantsKey = (failure ? failure.code : live?.errorCode) === "auth";
  const Icon = tone === "error" ? CircleAlert : CirclePause;
  const steps = live?.run.stepCount ?? 0;
  const resume = async (summary = shortens) => {
    if (starting) return;
    // What to do is said there.
    if (!lane && options.data && settle(choice, options.data).model === "")
      return void runCommand("choose-model");
    setStarting(true);
    setFailure(undefined);
    const next = limit === "budget" ? { ...choice, budgetUsd: budget.trim() } : choice;
    try {
      const request = { ...requestOf(session.id, next), summary };
      if (lane) {
        const { tipUid, model } = lane;
        const { runId } = await api.startRun({
          ...agreed(request, asked),
          fromUid: tipUid,
          model,
          aside: true,
        });
        watchRun(session.id, runId);
        return;
      }
      await api.startRun(agreed(request, asked));
      changeChoice(next);
      refreshRun(session.id);
      onStarted(session.id, session.headUid);
    } catch (error) {
      const wrong = toApiError(error);
      setAsked(await askedBy(wrong, requestOf(session.id, next)));
      setFailure(wrong);
    } finally {
      setStarting(false);
    }
  };
  useCommand("resume-run", () => void resume(), {
    title: `${action}: ${title.toLowerCase()}`,
  });
  if (failure && asked.length > 0)
    return (
      <ConfirmationCard
        asked={asked}
        onConfirm={() => void resume()}
        onDismiss={() => {
          setAsked([]);
          setFailure(undefined);
        }}
      />
    );
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
      <p className="selectable min-w-[min(100%,280px)] flex-1 [overflow-wrap:anywhere]">
        <span className="font-semibold">{title}</span>
        {lane && <span className="text-text-2"> · {baseName(lane.model)}</span>}
        {steps > 0 && (
          <span className="text-text-3">
            {" "}
            {plural(steps, "after {{count}} step", "after {{count}} steps")}
          </span>
        )}
        {reason && <span className="block text-text-2">{reason}</span>}
        {hint && <span className="block text-text-3">{hint}</span>}
      </p>
      {limit === "budget" && (
        <label className="flex items-center gap-1.5 text-sm text-text-3">
          {t("Budget $")}
          <input
            inputMode="decimal"
            aria-label={t("New budget in dollars")}
            className="h-7 w-20 rounded border border-border-strong bg-surface px-2 text-end text-base text-text"
            placeholder={t("none")}
            value={budget}
            onChange={({ target }) => setBudget(target.value)}
          />
        </label>
      )}
      <div className="ms-auto flex flex-wrap items-center justify-end gap-2">
        {wantsKey && <Button onClick={() => runCommand("model-keys")}>{t("Model keys…")}</Button>}
        {!lane && (elsewhere || failure) && (
          <Button onClick={() => runCommand("choose-model")}>{t("Choose model…")}</Button>
        )}
        {shortens && (
          <Button disabled={starting} onClick={() => void resume(false)}>
            {t("Continue with the whole conversation")}
          </Button>
        )}
        <Button variant="primary" disabled={starting} onClick={() => void resume()}>
          <Play size={12} aria-hidden="true" className="fill-current" />
          {starting ? t("Starting…") : action}
        </Button>
      </div>
    </section>
  );
}
