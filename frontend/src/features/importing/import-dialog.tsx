import { ErrorState } from "@/components/feedback/error-state";
import { JobProgress } from "@/components/feedback/job-progress";
import { Button } from "@/components/form/button";
import { Dialog } from "@/components/overlay/dialog";
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
        title="Import"
        footer={<Button onClick={hide}>Close</Button>}
      >
        <ErrorState title="Could not start the import" error={error} onRetry={importing.again} />
      </Dialog>
    );
  if (!job)
    return (
      <Dialog
        open={open}
        onClose={hide}
        wide
        title="Import sessions"
        description="Coppice reads the files of other tools and never changes them. Importing again only adds what is new."
      >
        <h3 className="mb-2 text-sm text-text-3">On this machine</h3>
        <SourceList onImport={importing.start} />
        <h3 className="mt-5 mb-2 text-sm text-text-3">From elsewhere</h3>
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
        title="Importing"
        description="You can keep working; sessions appear as they are imported."
        footer={
          <>
            <Button onClick={importing.cancel}>Cancel</Button>
            <Button data-autofocus variant="primary" onClick={hide}>
              Continue in background
            </Button>
          </>
        }
      >
        <JobProgress label="Import" job={job} unit="files" />
      </Dialog>
    );
  const [first] = job.report.sessions;
  return (
    <Dialog
      open={open}
      onClose={hide}
      wide
      title={job.error ? "The import failed" : job.canceled ? "Import stopped" : "Import finished"}
      description={summary(job)}
      footer={
        <>
          <Button onClick={importing.again}>Import more…</Button>
          <Button
            data-autofocus
            variant="primary"
            onClick={() => {
              hide();
              if (first && job.report.sessions.length === 1) onOpenSession(first);
            }}
          >
            Done
          </Button>
        </>
      }
    >
      <ImportReport job={job} onImportRemoved={importing.startAgain} />
    </Dialog>
  );
}
