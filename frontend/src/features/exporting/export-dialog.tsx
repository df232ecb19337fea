import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { JobProgress } from "@/components/feedback/job-progress";
import { toastDone, toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { Checkbox } from "@/components/form/checkbox";
import { RadioCards } from "@/components/form/radio-cards";
import { Dialog } from "@/components/overlay/dialog";
import { api, type Job, type Session } from "@/lib/api/api";
import { baseName, formatPlural } from "@/lib/format/format";
import { useJob } from "@/lib/library/job";
import { useWindowState } from "@/lib/store/window-state";
import {
  allowsDetail,
  allowsScope,
  details,
  type ExportOptions,
  formats,
  type Scope,
  soundOptions,
  suggestedName,
  usualOptions,
} from "./export-options";

/** What to export: sessions and, where there is one, the end of the path on screen. */
export interface ExportTarget {
  sessionIds: string[];
  leafUid: string;
}

interface ExportDialogProps {
  /** Undefined: closed. */
  target: ExportTarget | undefined;
  onClose: () => void;
}

/** Asks what of the sessions to export and how, then writes the file. */
export function ExportDialog({ target, onClose }: ExportDialogProps) {
  const [kept, keep] = useWindowState<Partial<ExportOptions>>("export", usualOptions);
  const options = soundOptions(kept);
  const [jobID, setJobID] = useState("");
  const { job } = useJob(jobID);
  const contents = useContents(target);
  const one = contents?.sessions.length === 1 ? contents.sessions[0] : undefined;
  const change = (part: Partial<ExportOptions>) => keep(soundOptions({ ...options, ...part }));

  const close = () => {
    setJobID("");
    onClose();
  };
  useFinished(job, close);

  const start = async () => {
    if (!target || !contents) return;
    const titles = contents.sessions.map(({ title }) => title);
    try {
      const path = await api.chooseExportPath(suggestedName(titles, options.format));
      if (path) setJobID(await api.startExport({ ...target, ...options }, path));
    } catch (reason) {
      toastError("Could not start the export", reason);
    }
  };
  const running = job !== undefined && !job.done;
  return (
    <Dialog
      open={target !== undefined}
      onClose={() => {
        if (running) void api.cancelJob(jobID).catch(() => {});
        close();
      }}
      wide
      title={
        one || !target
          ? "Export session"
          : `Export ${formatPlural(target.sessionIds.length, "session")}`
      }
      description={one?.title}
      footer={
        running ? (
          <Button onClick={() => void api.cancelJob(jobID).catch(() => {})}>Cancel</Button>
        ) : (
          <>
            <Button onClick={close}>Cancel</Button>
            <Button data-autofocus variant="primary" disabled={!contents} onClick={start}>
              Choose file…
            </Button>
          </>
        )
      }
    >
      {running ? (
        <JobProgress label="Export" job={job} unit="messages" />
      ) : (
        <div className="flex flex-col gap-4">
          <RadioCards
            label="Format"
            value={options.format}
            onChange={(format) => change({ format })}
            cards={formats.map(({ format, title, text }) => ({ value: format, title, text }))}
          />
          <RadioCards
            label="What"
            value={options.scope}
            onChange={(scope) => change({ scope })}
            cards={scopes(one, contents?.pathLength, target?.leafUid !== "").filter(({ value }) =>
              allowsScope(options.format, value),
            )}
          />
          {allowsDetail(options.format, "compact") && (
            <RadioCards
              label="Detail"
              value={options.detail}
              onChange={(detail) => change({ detail })}
              cards={details.map(({ detail, title, text }) => ({ value: detail, title, text }))}
            />
          )}
          <Checkbox
            title="Redact secrets"
            text="Keys, passwords, e-mail addresses and home folders that are recognised are replaced. Images are not changed. Read the result before you share it."
            checked={options.redact}
            onChange={(redact) => change({ redact })}
          />
        </div>
      )}
    </Dialog>
  );
}

function scopes(
  session: Session | undefined,
  pathLength: number | undefined,
  onScreen: boolean,
): { value: Scope; title: string; text: string }[] {
  const messages = (count: number | undefined) =>
    count === undefined ? "" : formatPlural(count, "message");
  const all = session
    ? `${messages(session.messageCount)} in ${formatPlural(session.branchCount, "branch", "branches")}`
    : "every branch";
  return [
    {
      value: "path",
      title: onScreen && session ? "The path on screen" : "The current branch",
      text: messages(pathLength) || "without the other branches",
    },
    {
      value: "alternatives",
      title: "With alternatives",
      text: "the path, with branches folded",
    },
    { value: "tree", title: "The whole tree", text: all },
  ];
}

/** The sessions to export and how long the path is; undefined until they are known. */
function useContents(target: ExportTarget | undefined) {
  const { data } = useQuery({
    queryKey: ["export", target],
    queryFn: async () => {
      const { sessionIds = [], leafUid = "" } = target ?? {};
      // The name and the counts of one; of several, only how many they are.
      const [id] = sessionIds;
      if (sessionIds.length !== 1 || id === undefined) {
        return { sessions: sessionIds.map((id) => ({ id, title: "" }) as Session) };
      }
      const [session, path] = await Promise.all([
        api.getSession(id),
        api.getWindow(id, leafUid, 0, 1),
      ]);
      return { sessions: [session], pathLength: path.length };
    },
    enabled: target !== undefined,
    staleTime: 0,
    gcTime: 0,
  });
  return data as { sessions: Session[]; pathLength?: number } | undefined;
}

/** Says once how a job ended, and closes. */
function useFinished(job: Job | undefined, close: () => void) {
  const told = useRef("");
  useEffect(() => {
    if (!job?.done || told.current === job.id) return;
    told.current = job.id;
    close();
    if (job.error) toastError("The export failed", { message: job.error, hint: job.hint });
    else if (job.canceled) toastDone("Export stopped; no file was written");
    else
      toastDone(`Exported ${baseName(job.path)}`, {
        label: "Show in folder",
        onClick: () => {
          api.revealFile(job.path).catch((error) => toastError("Could not open the folder", error));
        },
      });
  }, [job, close]);
}
