import { useEffect, useRef, useState } from "react";
import { toastDone, toastError } from "@/components/toast";
import { api, type Job } from "@/lib/api";
import { useCommand } from "@/lib/commands";
import { baseName } from "@/lib/format";
import { useJob } from "@/lib/job";

/** What is under way with the data file, and the ways to begin and end it. */
export interface FileWork {
  /** A backup or a check; undefined before the first. */
  job: Job | undefined;
  running: boolean;
  backup: () => Promise<void>;
  /** Makes a backup in the folder of backups. */
  backupNow: () => Promise<void>;
  check: () => Promise<void>;
  cancel: () => Promise<void>;
  reveal: (path: string) => Promise<void>;
}

/** One work on the data file at a time; it goes on while the settings are closed. `onShow` opens them. */
export function useFileWork(onShow: () => void): FileWork {
  const [jobID, setJobID] = useState("");
  const { job } = useJob(jobID);
  const running = job !== undefined && !job.done;

  const attempt = async (failed: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (reason) {
      toastError(failed, reason);
    }
  };
  const backup = () =>
    attempt("The backup could not begin", async () => {
      const day = new Date().toISOString().slice(0, 10);
      const path = await api.chooseExportPath(`coppice-${day}.db`);
      if (path) setJobID(await api.startBackup(path));
    });
  const backupNow = () =>
    attempt("The backup could not begin", async () => setJobID(await api.startBackupNow()));
  const check = () =>
    attempt("The check could not begin", async () => setJobID(await api.startCheck()));
  const cancel = () => attempt("It could not be stopped", () => api.cancelJob(jobID));
  const reveal = (path: string) =>
    attempt("The folder could not be opened", () => api.revealFile(path));

  const told = useRef("");
  useEffect(() => {
    if (!job?.done || job.kind !== "backup" || told.current === job.id) return;
    told.current = job.id;
    if (job.error || job.canceled) return;
    toastDone(`Backed up to ${baseName(job.path)}`, {
      label: "Show in folder",
      onClick: () => {
        api
          .revealFile(job.path)
          .catch((reason) => toastError("The folder could not be opened", reason));
      },
    });
  }, [job]);

  const begin = (work: () => Promise<void>) => {
    onShow();
    void work();
  };
  useCommand("backup", () => begin(backup), {
    enabled: !running,
  });
  useCommand("check", () => begin(check), {
    enabled: !running,
  });
  return { job, running, backup, backupNow, check, cancel, reveal };
}
