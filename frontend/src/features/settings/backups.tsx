import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { toastDone, toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { Checkbox } from "@/components/form/checkbox";
import { Dialog } from "@/components/overlay/dialog";
import { BackupList } from "@/components/session/backup-list";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { formatAge, formatBytes, formatPlural } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { useLibraryState } from "@/lib/library/library-state";
import type { FileWork } from "./use-file-work";

/** The backups of the library: how many, how old, and the ways to make and restore one. */
export function Backups({ work }: { work: FileWork }) {
  const client = useQueryClient();
  const { data: state } = useLibraryState();
  const [choosing, setChoosing] = useState(false);
  const [restoring, setRestoring] = useState(false);
  const { running } = work;
  // A short backup may be done before it was seen to run.
  const finished = work.job?.done ? work.job.id : "";
  // biome-ignore lint/correctness/useExhaustiveDependencies: each job that is done may have made a backup
  useEffect(() => {
    void client.invalidateQueries({ queryKey: keys.libraryState() });
  }, [finished, client]);
  if (!state) return null;
  const { backups, dailyBackups } = state;
  const bytes = backups.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const [newest] = backups;

  const setDaily = async (on: boolean) => {
    try {
      await api.setDailyBackups(on);
      await client.invalidateQueries({ queryKey: keys.libraryState() });
    } catch (reason) {
      toastError(t("Could not change the setting"), reason);
    }
  };
  const restore = async (path: string) => {
    setRestoring(true);
    try {
      await api.restoreBackup(path);
      setChoosing(false);
      await client.resetQueries();
      toastDone(t("Restored the backup. The previous library is kept beside it."));
    } catch (reason) {
      toastError(t("Could not restore the backup"), reason);
    } finally {
      setRestoring(false);
    }
  };
  return (
    <div className="mt-4">
      <p className="text-text-2">
        {newest
          ? [
              formatPlural(backups.length, "backup"),
              formatBytes(bytes),
              t("the newest {{age}}", { age: formatAge(newest.createdAtMs) }),
            ].join(" · ")
          : t("No backup yet.")}
      </p>
      <div className="mt-2">
        <Checkbox
          title={t("Back up every day")}
          text={t(
            "The last seven days and four weeks are kept, in the folder backups beside the library.",
          )}
          checked={dailyBackups}
          onChange={(on) => void setDaily(on)}
        />
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button disabled={running} onClick={work.backupNow}>
          {t("Back up now")}
        </Button>
        <Button disabled={running || backups.length === 0} onClick={() => setChoosing(true)}>
          {t("Restore…")}
        </Button>
      </div>
      <Dialog
        open={choosing}
        onClose={() => setChoosing(false)}
        title={t("Restore a backup")}
        description={t(
          "The library returns to its state at that time. The present file is kept beside it.",
        )}
        wide
      >
        <BackupList
          backups={backups}
          disabled={restoring}
          onRestore={(path) => void restore(path)}
        />
      </Dialog>
    </div>
  );
}
