import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { toastDone, toastError } from "@/components/feedback/toast";
import { api, type Job, toApiError } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { reportWords } from "@/lib/format/report";
import { t } from "@/lib/i18n/i18n";
import { follow } from "@/lib/library/followed";
import { useJob } from "@/lib/library/job";

/** The state of an import, as the dialog shows it. */
export interface Importing {
  /** The dialog is on screen. */
  open: boolean;
  job: Job | undefined;
  /** The job could not be begun or followed. */
  error: unknown;
  show: () => void;
  hide: () => void;
  /** Back to the choice of what to import. */
  again: () => void;
  /** Keep: follow the paths when they are imported. */
  start: (paths: string[], keep?: boolean) => Promise<void>;
  /** Imports the same paths with the sessions that were removed for good. */
  startAgain: () => Promise<void>;
  /** Imports the same paths once more. */
  repeat: () => Promise<void>;
  cancel: () => Promise<void>;
  chooseFiles: () => Promise<void>;
  chooseFolder: () => Promise<void>;
  loadSamples: () => Promise<void>;
}

/** One import at a time, which continues while its dialog is hidden. */
export function useImport(): Importing {
  const [open, setOpen] = useState(false);
  const [jobID, setJobID] = useState("");
  const [failure, setFailure] = useState<unknown>();
  const { job, error } = useJob(jobID);
  const client = useQueryClient();

  // Reported once, when a hidden import ends.
  const told = useRef("");
  const kept = useRef<string[]>([]);
  const last = useRef<string[]>([]);
  useEffect(() => {
    if (!job?.done || told.current === job.id) return;
    told.current = job.id;
    for (const queryKey of [keys.sessions(), keys.facets(), keys.about()])
      void client.invalidateQueries({ queryKey });
    if (kept.current.length > 0 && !job.canceled && !job.error)
      follow(kept.current).catch((reason) =>
        toastError(t("Could not follow the imported folders"), reason),
      );
    if (!open) toastDone(summary(job), { label: t("Show report"), onClick: () => setOpen(true) });
  }, [job, open, client]);

  const start = async (paths: string[], keep = false, again = false) => {
    if (paths.length === 0) return;
    if (job && !job.done) {
      setOpen(true);
      toastDone(t("An import is running; start the next one when it is done"));
      return;
    }
    setFailure(undefined);
    setOpen(true);
    try {
      kept.current = keep ? paths : [];
      last.current = paths;
      setJobID(await api.startImport(paths, again));
    } catch (reason) {
      setFailure(toApiError(reason));
    }
  };
  const choose = async (ask: () => Promise<string[]>) => {
    try {
      await start(await ask());
    } catch (reason) {
      toastError(t("Could not open the file dialog"), reason);
    }
  };
  return {
    open,
    job,
    error: failure ?? error ?? undefined,
    show: () => {
      if (job?.done) setJobID("");
      setFailure(undefined);
      setOpen(true);
    },
    hide: () => setOpen(false),
    again: () => {
      setJobID("");
      setFailure(undefined);
    },
    start,
    startAgain: () => start(last.current, false, true),
    repeat: () => start(last.current, kept.current.length > 0),
    cancel: async () => {
      try {
        await api.cancelJob(jobID);
      } catch (reason) {
        toastError(t("Could not stop the import"), reason);
      }
    },
    chooseFiles: () => choose(api.chooseFiles),
    chooseFolder: () =>
      choose(async () => {
        const folder = await api.chooseFolder();
        return folder ? [folder] : [];
      }),
    loadSamples: async () => {
      try {
        const report = await api.loadSamples();
        setOpen(false);
        toastDone(
          report.imported > 0
            ? t("Added the sample library")
            : t("The samples are in the library already"),
        );
      } catch (reason) {
        toastError(t("Could not load the sample library"), reason);
      }
    },
  };
}

/** What an import did, in a line. */
export function summary({
  report,
  canceled,
  error,
}: Pick<Job, "report" | "canceled" | "error">): string {
  const what = reportWords(report);
  if (error) return t("The import failed: {{report}} so far", { report: what });
  if (canceled) return t("Import stopped: {{report}} so far", { report: what });
  return what.charAt(0).toUpperCase() + what.slice(1);
}
