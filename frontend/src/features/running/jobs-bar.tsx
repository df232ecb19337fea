import { useQuery } from "@tanstack/react-query";
import { ExternalLink, Square } from "lucide-react";
import { useState } from "react";
import { toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { AuthorMark } from "@/components/session/author-mark";
import { Shown } from "@/components/text/shown";
import { type AgentJob, api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { formatCost, formatPlural, formatTokens } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { runCommand } from "@/lib/keys/commands";

/** How often what the jobs have done is read. */
const readEveryMs = 1000;
const nobody: readonly string[] = [];

/** The jobs that the agents of a session have given to others and that are running, each with a way to open and to stop it. */
export function JobsBar({ sessionId }: { sessionId: string }) {
  const { data = [] } = useQuery({
    queryKey: keys.agentJobs(sessionId),
    queryFn: () => api.listJobs(sessionId),
    refetchInterval: readEveryMs,
  });
  const running = data.filter(({ status }) => status === "running");
  if (running.length === 0) return null;
  return (
    <section
      aria-label={t("Jobs of other agents")}
      className="rounded-lg border border-border bg-surface px-3 py-1.5"
    >
      <ul>
        {running.map((job) => (
          <JobLine key={job.sessionId} job={job} />
        ))}
      </ul>
    </section>
  );
}

function JobLine({ job }: { job: AgentJob }) {
  const { sessionId, agent, title, steps, tokens, costNanoUsd } = job;
  const [stopping, setStopping] = useState(false);
  const stop = () => {
    setStopping(true);
    api.stopJob(sessionId).catch((error) => {
      setStopping(false);
      toastError(t("Could not stop the job"), error);
    });
  };
  const spent = [
    steps > 0 && formatPlural(steps, "step"),
    tokens > 0 && formatTokens(tokens),
    formatCost(costNanoUsd),
  ];
  return (
    <li className="flex min-h-8 items-center gap-2">
      <span className="run-dot" aria-hidden="true" />
      <AuthorMark name={agent} authors={nobody} className="shrink-0 font-semibold" />
      <span className="min-w-0 flex-1 truncate" dir="auto">
        <Shown text={title} />
      </span>
      <span className="shrink-0 text-sm text-text-3">{spent.filter(Boolean).join(" · ")}</span>
      <Button variant="quiet" onClick={() => runCommand("open-session", sessionId)}>
        {t("Open session")}
        <ExternalLink size={14} aria-hidden="true" />
      </Button>
      <Button disabled={stopping} onClick={stop}>
        <Square size={12} aria-hidden="true" className="fill-current" />
        {stopping ? t("Stopping…") : t("Stop job")}
      </Button>
    </li>
  );
}
