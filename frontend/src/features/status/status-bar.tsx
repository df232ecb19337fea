import { useQuery } from "@tanstack/react-query";
import { StatusDot } from "@/components/feedback/status-dot";
import { Tooltip } from "@/components/text/tooltip";
import { api, type Job, type Session } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { baseName, formatBytes, formatPlural } from "@/lib/format/format";
import { statusWord } from "@/lib/format/sources";
import { type Message, msg, t, translate } from "@/lib/i18n/i18n";
import { jobShare } from "@/lib/library/job";
import { useLive } from "@/lib/run/runs";
import { useMessagePlace } from "@/lib/tree/tree";
import { ContextUsed } from "./context-used";
import { FollowingStatus } from "./following-status";
import { IndexingStatus } from "./indexing-status";
import { RunStatus } from "./run-status";
import { SessionSpent } from "./session-spent";

interface StatusBarProps {
  session: Session | undefined;
  /** The end of the path on screen. */
  leafUid: string;
  /** An import that is under way. */
  importing: Job | undefined;
  onShowImport: () => void;
  onShowFile: () => void;
}

/** The line at the bottom: the session on screen at the left, the file at the right. */
export function StatusBar(props: StatusBarProps) {
  const { session, leafUid, importing } = props;
  const { data: about } = useQuery({ queryKey: keys.about(), queryFn: api.getAbout });
  const share = importing && jobShare(importing);
  return (
    <footer className="border-t border-border">
      <div className="flex h-full items-center gap-4 overflow-hidden px-4 text-sm whitespace-nowrap text-text-3">
        {session && <SessionStatus session={session} leafUid={leafUid} />}
        <span className="flex-1" />
        <FollowingStatus />
        <IndexingStatus />
        {importing && !importing.done && (
          <button
            type="button"
            onClick={props.onShowImport}
            className="flex items-center gap-2 rounded px-1.5 text-text-2 hover:bg-sunken hover:text-text"
          >
            {importing.progress.total > 0
              ? t("Importing {{done}} of {{total}}", {
                  done: importing.progress.done,
                  total: importing.progress.total,
                })
              : t("Importing")}
            <span className="h-1 w-16 overflow-hidden rounded-full bg-border" aria-hidden="true">
              <span
                className="block h-full bg-accent"
                style={{ width: `${Math.round((share ?? 0) * 100)}%` }}
              />
            </span>
          </button>
        )}
        {about && (
          <Tooltip text={about.stats.path} side="top">
            <button
              type="button"
              onClick={props.onShowFile}
              className="rounded px-1.5 hover:bg-sunken hover:text-text"
            >
              {baseName(about.stats.path)} · {formatBytes(about.stats.sizeBytes)}
            </button>
          </Tooltip>
        )}
      </div>
    </footer>
  );
}

function SessionStatus({ session, leafUid }: { session: Session; leafUid: string }) {
  const branch = useBranch(session, leafUid);
  const live = useLive(session.id);
  return (
    <>
      {live?.running || live?.lanes.some(({ running }) => running) ? (
        <RunStatus live={live} />
      ) : (
        <span className="flex items-center gap-1.5">
          <StatusDot status={session.status} />
          {statusWord(session.status)}
          {reasonWords(session)}
        </span>
      )}
      {session.branchCount > 0 && (
        <span>
          {branch === undefined
            ? formatPlural(session.branchCount, "branch", "branches")
            : t("branch {{branch}} of {{branches}}", {
                branch: branch + 1,
                branches: session.branchCount,
              })}
        </span>
      )}
      <span className="tight:hidden">{formatPlural(session.messageCount, "message")}</span>
      <SessionSpent session={session} live={live} />
      <ContextUsed session={session} leafUid={leafUid} />
    </>
  );
}

/** Why it stopped, where the status does not say it. */
function reasonWords({ status, stopReason }: Session): string {
  if (status === "success" || ["", "llm_error", status].includes(stopReason)) return "";
  const words = stopWords[stopReason];
  return ` · ${words ? translate(words) : stopReason.replaceAll("_", " ")}`;
}

const stopWords: Record<string, Message> = {
  user_interrupt: msg("by you"),
  hitl_quit: msg("by you, after an answer"),
  terminated: msg("program closed"),
  max_steps: msg("step limit"),
  budget_exceeded: msg("budget"),
  timeout: msg("time limit"),
  doom_loop: msg("repeated itself"),
  refused: msg("calls refused"),
};

/** The number of the branch that the path on screen ends in. */
function useBranch({ id }: Session, leafUid: string): number | undefined {
  return useMessagePlace(id, leafUid)?.branch;
}
