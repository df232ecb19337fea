import { useQueryClient } from "@tanstack/react-query";
import { ShieldAlert } from "lucide-react";
import { useState } from "react";
import { JobProgress } from "@/components/feedback/job-progress";
import { Button } from "@/components/form/button";
import { CopyButton } from "@/components/form/copy-button";
import { BackupList } from "@/components/session/backup-list";
import { api, type LibraryState, toApiError } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { t } from "@/lib/i18n/i18n";
import { useJob } from "@/lib/library/job";
import { RecoveryReport } from "./recovery-report";

interface DamagedLibraryProps {
  state: LibraryState | undefined;
  /** A recovery begins: its report is to be read before the library is shown. */
  onBegin: () => void;
  /** A sound library is open. */
  onOpened: () => void;
  /** Back to a library that is open all the same; undefined: it is not. */
  onBack?: () => void;
}

/** What the window shows of a damaged library: what happened, and the ways out. Nothing is done without a click. */
export function DamagedLibrary({ state, onBegin, onOpened, onBack }: DamagedLibraryProps) {
  const client = useQueryClient();
  const [jobID, setJobID] = useState("");
  const { job } = useJob(jobID);
  const [failed, setFailed] = useState<{ what: string; error: unknown }>();
  const [busy, setBusy] = useState(false);
  const recovering = jobID !== "" && !job?.done;

  const attempt = async (what: string, work: () => Promise<void>) => {
    setFailed(undefined);
    setBusy(true);
    try {
      await work();
    } catch (error) {
      setFailed({ what, error });
    } finally {
      setBusy(false);
      await client.invalidateQueries({ queryKey: keys.libraryState() });
    }
  };
  const restore = (path: string) =>
    attempt(t("Could not restore the backup"), async () => {
      await api.restoreBackup(path);
      onOpened();
    });
  const recover = () =>
    attempt(t("Could not start the recovery"), async () => {
      onBegin();
      setJobID(await api.startRecovery());
    });
  const startNew = () =>
    attempt(t("Could not start a new library"), async () => {
      await api.startNewLibrary();
      onOpened();
    });
  const tryAgain = () => attempt(t("Could not open the library"), async () => onOpened());

  if (job?.done && job.recovery && !job.error && !job.canceled)
    return (
      <Page title={t("The readable part is saved")}>
        <RecoveryReport recovery={job.recovery} aside={job.path} onOpen={onOpened} />
      </Page>
    );
  const waits = busy || recovering;
  return (
    <Page title={t("The library is damaged")}>
      <p className="text-text-2">
        {onBack
          ? t("Some of its pages cannot be read. The rest of it still works.")
          : t("Coppice cannot open its file, and has changed nothing in it.")}{" "}
        {t("Choose what to do; the damaged file is kept in each case.")}
      </p>
      <p className="selectable mt-2 font-mono text-sm text-text-2 [overflow-wrap:anywhere]">
        {state?.path}
      </p>
      <Way
        title={t("Restore a backup")}
        text={t(
          "The library returns to its state at that time. Later changes are only in the damaged file.",
        )}
      >
        <BackupList backups={state?.backups ?? []} disabled={waits} onRestore={restore} />
      </Way>
      <Way
        title={t("Recover what is readable")}
        text={t(
          "Reads the damaged file page by page and builds a new library from it. You get a report of what was saved and what was not.",
        )}
      >
        {recovering ? (
          <div className="flex items-start gap-3">
            <div className="min-w-0 flex-1">
              {job && (
                <JobProgress
                  label={t("Recovery")}
                  job={job}
                  unit={job.progress.current === "pages" ? t("pages") : t("sessions")}
                />
              )}
            </div>
            <Button variant="quiet" onClick={() => void api.cancelJob(jobID)}>
              {t("Cancel")}
            </Button>
          </div>
        ) : (
          <Button disabled={waits} onClick={() => void recover()}>
            {t("Recover")}
          </Button>
        )}
        {job?.canceled && <p className="mt-2 text-text-2">{t("Stopped. Nothing was changed.")}</p>}
        {job?.error && (
          <p role="alert" className="selectable mt-2 text-error [overflow-wrap:anywhere]">
            {job.error}
          </p>
        )}
      </Way>
      <Way
        title={t("Start a new library")}
        text={t("An empty library takes its place. Sessions of other tools can be imported again.")}
      >
        <Button disabled={waits} onClick={() => void startNew()}>
          {t("Start a new library")}
        </Button>
      </Way>
      {failed && (
        <p role="alert" className="selectable mt-4 text-error [overflow-wrap:anywhere]">
          {failed.what}: {toApiError(failed.error).message}
        </p>
      )}
      <div className="mt-6 flex items-center gap-2 border-t border-border pt-4">
        {onBack ? (
          <Button disabled={waits} onClick={onBack}>
            {t("Back to the library")}
          </Button>
        ) : (
          <Button disabled={waits} onClick={() => void tryAgain()}>
            {t("Try again")}
          </Button>
        )}
        <CopyButton
          label={t("Copy details")}
          text={[state?.path, state?.message, ...(state?.damage ?? [])].filter(Boolean).join("\n")}
        />
      </div>
    </Page>
  );
}

function Page({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <main className="h-full overflow-y-auto">
      <div className="mx-auto flex min-h-full max-w-[620px] flex-col justify-center px-6 py-8">
        <h1 className="mb-2 flex items-center gap-2 text-2xl font-semibold">
          <ShieldAlert size={24} className="shrink-0 text-warn" aria-hidden="true" />
          {title}
        </h1>
        {children}
      </div>
    </main>
  );
}

function Way({
  title,
  text,
  children,
}: {
  title: string;
  text: string;
  children: React.ReactNode;
}) {
  return (
    <section className="mt-5">
      <h2 className="font-semibold">{title}</h2>
      <p className="mb-2 text-text-2">{text}</p>
      {children}
    </section>
  );
}
