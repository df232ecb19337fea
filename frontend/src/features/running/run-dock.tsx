import { Radio } from "lucide-react";
import type { Session } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { useLive } from "@/lib/run/runs";
import type { OnView } from "@/lib/session/location";
import { endingOf } from "./ending";
import { GateCard } from "./gate-card";
import { JobsBar } from "./jobs-bar";
import { LanesBar } from "./lanes-bar";
import { Notices } from "./notices";
import { QuestionCard } from "./question-card";
import { ResumeBanner } from "./resume-banner";
import { ReviewCard } from "./review-card";

interface RunDockProps {
  session: Session;
  /** The path on screen ends at the session's head. */
  atHead: boolean;
  onView: OnView;
  onStarted: (sessionId: string, headBefore: string) => void;
}

/** The questions of a run, between the transcript and the composer. */
export function RunDock({ session, atHead, onView, onStarted }: RunDockProps) {
  const live = useLive(session.id);
  const question = live?.questions[0];
  const lane = live?.lanes.find(({ runId, number }) => number > 0 && runId === live.run.id);
  const ending = lane ? endingOf(live?.run ?? session, live) : atHead && endingOf(session, live);
  const elsewhere =
    session.status === "running" &&
    live !== undefined &&
    !live.running &&
    live.run.status === "running";
  const notices = live?.running ? live.notices : [];
  const several = (live?.lanes.length ?? 0) > 1;
  const hasJobs = live?.calls.some(({ name, running }) => name === "task" && running) ?? false;
  if (!question && !ending && !elsewhere && !several && !hasJobs && notices.length === 0)
    return null;
  return (
    <div className="shrink-0 px-6 pt-2">
      <div className="measure-composer flex flex-col gap-2">
        {several && live && <LanesBar live={live} onView={onView} />}
        {hasJobs && <JobsBar sessionId={session.id} />}
        <Notices notices={notices} />
        {elsewhere && (
          <p className="flex items-center gap-2 rounded-lg border border-border px-3 py-2 text-text-2">
            <Radio size={16} className="shrink-0" aria-hidden="true" />
            {t("Another window or terminal runs this session. What it writes appears here.")}
          </p>
        )}
        {question?.kind === "permit" && (
          <QuestionCard
            key={question.id}
            sessionId={session.id}
            question={question}
            workspace={live?.run.workspacePath ?? ""}
          />
        )}
        {question?.kind === "gate" && (
          <GateCard key={question.id} sessionId={session.id} question={question} />
        )}
        {question?.kind === "review" && (
          <ReviewCard key={question.id} sessionId={session.id} question={question} />
        )}
        {ending && (
          <ResumeBanner
            key={`${live?.run.id} ${session.stopReason}`}
            session={session}
            live={live}
            lane={lane}
            ending={ending}
            onStarted={onStarted}
          />
        )}
      </div>
    </div>
  );
}
