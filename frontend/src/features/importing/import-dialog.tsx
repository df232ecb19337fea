import { ErrorState } from "@/components/feedback/error-state";
import { JobProgress } from "@/components/feedback/job-progress";
import { Button } from "@/components/form/button";
import { Dialog } from "@/components/overlay/dialog";
import { t } from "@/lib/i18n/i18n";
import { ChooseButtons } from "./choose-buttons";
import { ImportReport } from "./import-report";
import { SourceList } from "./source-list";
import { type Importing, summary } from "./use-import";

interface ImportDialogProps {
  importing: Importing;
  /** Shows a session that came in. */
  onOpenSession: (id: string) => void;
}

/** What to import, then how far it has come, then what it did. */
export function ImportDialog({ importing, onOpenSession }: ImportDialogProps) {
  const { open, job, error, hide } = importing;
  if (error !== undefined)
    return (
      <Dialog
        open={open}
        onClose={hide}
        title={t("Import")}
        footer={<Button onClick={hide}>{t("Close")}</Button>}
      >
        <ErrorState
          title={t("Could not start the import")}
          error={error}
          onRetry={importing.again}
        />
      </Dialog>
    );
  if (!job)
    return (
      <Dialog
        open={open}
        onClose={hide}
        wide
        title={t("Import sessions")}
        description={t(
          "Coppice reads the files of other tools and never changes them. Importing again only adds what is new.",
        )}
      >
        <h3 className="mb-2 text-sm text-text-3">{t("On this machine")}</h3>
        <SourceList onImport={importing.start} />
        <h3 className="mt-5 mb-2 text-sm text-text-3">{t("From elsewhere")}</h3>
        <div className="pb-2">
          <ChooseButtons importing={importing} samples="quiet" />
        </div>
      </Dialog>
    );
  if (!job.done)
    return (
      <Dialog
        open={open}
        onClose={hide}
        wide
        title={t("Importing")}
        description={t("You can keep working; sessions appear as they are imported.")}
        footer={
          <>
            <Button onClick={importing.cancel}>{t("Cancel")}</Button>
            <Button data-autofocus variant="primary" onClick={hide}>
              {t("Continue in background")}
            </Button>
          </>
        }
      >
        <JobProgress label={t("Import")} job={job} unit={t("files")} />
      </Dialog>
    );
  const [first] = job.report.sessions;
  return (
    <Dialog
      open={open}
      onClose={hide}
      wide
      title={
        job.error
          ? t("The import failed")
          : job.canceled
            ? t("Import stopped")
            : t("Import finished")
      }
      description={summary(job)}
      footer={
        <>
          <Button onClick={importing.again}>{t("Import more…")}</Button>
          <Button
            data-autofocus
            variant="primary"
            onClick={() => {
              hide();
              if (first && job.report.sessions.length === 1) onOpenSession(first);
            }}
          >
            {t("Done")}
          </Button>
        </>
      }
    >
      <ImportReport
        job={job}
        onImportRemoved={importing.startAgain}
        onImportLocked={importing.repeat}
      />
    </Dialog>
  );
}
