import { useEffect, useRef, useState } from "react";
import { toastDone, toastError } from "@/components/feedback/toast";
import { api, type Job } from "@/lib/api/api";
import { baseName } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { useCommand } from "@/lib/keys/commands";
import { useJob } from "@/lib/library/job";

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

/** One job on the data file at a time; it continues while the settings are closed. `onShow` opens them. */
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
    attempt(t("Could not start the backup"), async () => {
      const day = new Date().toISOString().slice(0, 10);
      const path = await api.chooseExportPath(`coppice-${day}.db`);
      if (path) setJobID(await api.startBackup(path));
    });
  const backupNow = () =>
    attempt(t("Could not start the backup"), async () => setJobID(await api.startBackupNow()));
  const check = () =>
    attempt(t("Could not start the check"), async () => setJobID(await api.startCheck()));
  const cancel = () => attempt(t("Could not stop the job"), () => api.cancelJob(jobID));
  const reveal = (path: string) =>
    attempt(t("Could not open the folder"), () => api.revealFile(path));

  const told = useRef("");
  useEffect(() => {
    if (!job?.done || job.kind !== "backup" || told.current === job.id) return;
    told.current = job.id;
    if (job.error || job.canceled) return;
    toastDone(t("Backed up to {{path}}", { path: baseName(job.path) }), {
      label: t("Show in folder"),
      onClick: () => {
        api
          .revealFile(job.path)
          .catch((reason) => toastError(t("Could not open the folder"), reason));
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
