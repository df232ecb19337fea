import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { JobProgress } from "@/components/feedback/job-progress";
import { toastDone, toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { Dialog } from "@/components/overlay/dialog";
import { api, type ExportRequest, type Job, type Session } from "@/lib/api/api";
import { baseName } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import { useJob } from "@/lib/library/job";
import { useWindowState } from "@/lib/store/window-state";
import { type Contents, ExportForm } from "./export-form";
import {
  type ExportOptions,
  type Scope,
  soundOptions,
  suggestedName,
  usualOptions,
} from "./export-options";
import type { Range } from "./turn-range";

/** What to export: sessions and, if there is one, the end of the path on screen. No sessions: the whole library. */
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
  const [chosen, choose] = useState<string[]>();
  const [turns, chooseTurns] = useState<Range>();
  const [unredacted, keepUnredacted] = useState<string[]>([]);
  const [passphrase, setPassphrase] = useState<string>();
  const [theme, setTheme] = useState<"light" | "dark">("light");
  const [jobID, setJobID] = useState("");
  const { job } = useJob(jobID);
  const contents = useContents(target);
  const sessions = target?.sessionIds.length === 1 ? 1 : 2;
  const options = soundOptions(kept, sessions);
  const change = (part: Partial<ExportOptions>) =>
    keep(soundOptions({ ...options, ...part }, sessions));
  const leaves = chosen ?? leavesOnPath(contents);
  const range = turns ?? allTurns(contents);

  const close = () => {
    setJobID("");
    choose(undefined);
    chooseTurns(undefined);
    keepUnredacted([]);
    setPassphrase(undefined);
    onClose();
  };
  useFinished(job, close);

  const request: ExportRequest | undefined = target &&
    contents && {
      ...options,
      sessionIds: target.sessionIds,
      all: contents.isLibrary,
      leafUids: leavesOf(options.scope, target, leaves, range),
      fromUid: options.scope === "turns" ? range.from : "",
      keep: unredacted,
      theme: options.format === "png" ? theme : "",
      passphrase: "",
    };
  const start = async () => {
    if (!request || !contents) return;
    try {
      const path = await api.chooseExportPath(nameOf(contents, options));
      if (!path) return;
      const encrypted = options.format === "html" && passphrase;
      const held = encrypted ? await api.holdPassphrase(encrypted) : "";
      setJobID(await api.startExport({ ...request, passphrase: held }, path));
    } catch (reason) {
      toastError(t("Could not start the export"), reason);
    }
  };
  const isRunning = job !== undefined && !job.done;
  const missing = contents ? missingFor(options, leaves, passphrase) : "";
  return (
    <Dialog
      open={target !== undefined}
      onClose={() => {
        if (isRunning) void api.cancelJob(jobID).catch(() => {});
        close();
      }}
      wide
      title={titleOf(target)}
      description={contents?.parts && contents.sessions[0]?.title}
      footer={
        isRunning ? (
          <Button onClick={() => void api.cancelJob(jobID).catch(() => {})}>{t("Cancel")}</Button>
        ) : (
          <>
            <p role="status" className="me-auto text-sm text-text-2">
              {missing}
            </p>
            <Button onClick={close}>{t("Cancel")}</Button>
            <Button
              data-autofocus
              type="submit"
              form="export"
              variant="primary"
              disabled={missing !== ""}
            >
              {t("Choose file…")}
            </Button>
          </>
        )
      }
    >
      {isRunning ? (
        <JobProgress label={t("Export")} job={job} unit={t("messages")} />
      ) : (
        <ExportForm
          onSubmit={start}
          options={options}
          contents={contents}
          isOnScreen={target?.leafUid !== ""}
          leaves={leaves}
          request={request}
          onKeep={keepUnredacted}
          onChange={change}
          onLeaves={choose}
          range={range}
          onRange={chooseTurns}
          theme={theme}
          onTheme={setTheme}
          passphrase={passphrase}
          onPassphrase={setPassphrase}
        />
      )}
    </Dialog>
  );
}

/** What the user has to enter before the export can start; empty for nothing. */
function missingFor(
  { format, scope }: ExportOptions,
  leaves: readonly string[],
  passphrase: string | undefined,
): string {
  if (scope === "branches" && leaves.length === 0) return t("Choose a branch.");
  if (format === "html" && passphrase === "") return t("Enter the passphrase twice.");
  return "";
}

function titleOf(target: ExportTarget | undefined): string {
  if (!target || target.sessionIds.length === 1) return t("Export session");
  if (target.sessionIds.length === 0) return t("Export library");
  return plural(target.sessionIds.length, "Export {{count}} session", "Export {{count}} sessions");
}

function nameOf({ sessions, isLibrary }: Contents, { format }: ExportOptions): string {
  const titles = sessions.map(({ title }) => title);
  return isLibrary
    ? suggestedName(["", ""], format, "coppice-library")
    : suggestedName(titles, format);
}

/** The ends of the paths to export; none: the head. */
function leavesOf(
  scope: Scope,
  target: ExportTarget,
  chosen: readonly string[],
  range: Range,
): string[] {
  if (scope === "branches") return [...chosen];
  if (scope === "turns") return [range.to];
  return target.leafUid ? [target.leafUid] : [];
}

function leavesOnPath(contents: Contents | undefined): string[] {
  return (contents?.parts?.branches ?? [])
    .filter(({ onPath }) => onPath)
    .map(({ leafUid }) => leafUid);
}

function allTurns(contents: Contents | undefined): Range {
  const turns = contents?.parts?.turns ?? [];
  return { from: turns[0]?.uid ?? "", to: turns.at(-1)?.uid ?? "" };
}

/** The sessions to export and what can be chosen of them; undefined until they are known. */
function useContents(target: ExportTarget | undefined): Contents | undefined {
  const { data } = useQuery({
    queryKey: ["export", target],
    queryFn: async (): Promise<Contents> => {
      const { sessionIds = [], leafUid = "" } = target ?? {};
      // The name and the branches of one; of several, only how many they are.
      const [id] = sessionIds;
      if (sessionIds.length !== 1 || id === undefined) {
        const sessions = sessionIds.map((id) => ({ id, title: "" }) as Session);
        return { sessions, isLibrary: sessions.length === 0 };
      }
      const [session, parts] = await Promise.all([
        api.getSession(id),
        api.getExportParts(id, leafUid),
      ]);
      return { sessions: [session], parts, isLibrary: false };
    },
    enabled: target !== undefined,
    staleTime: 0,
    gcTime: 0,
  });
  return data;
}

/** Reports once how a job ended, and closes. */
function useFinished(job: Job | undefined, close: () => void) {
  const reported = useRef("");
  useEffect(() => {
    if (!job?.done || reported.current === job.id) return;
    reported.current = job.id;
    close();
    if (job.error) toastError(t("The export failed"), { message: job.error, hint: job.hint });
    else if (job.canceled) toastDone(t("Export stopped; no file was written"));
    else
      toastDone(t("Exported {{file}}", { file: baseName(job.path) }), {
        label: t("Show in folder"),
        onClick: () => {
          api
            .revealFile(job.path)
            .catch((error) => toastError(t("Could not open the folder"), error));
        },
      });
  }, [job, close]);
}
