import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toastDone, toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { Dialog } from "@/components/overlay/dialog";
import { api } from "@/lib/api/api";
import { formatPlural } from "@/lib/format/format";

interface PurgeDialogProps {
  /** The sessions to delete permanently; empty: the whole trash; undefined: closed. */
  ids: string[] | undefined;
  onClose: () => void;
}

/** Asks before the only action in the library that cannot be undone. */
export function PurgeDialog({ ids, onClose }: PurgeDialogProps) {
  const [working, setWorking] = useState(false);
  const client = useQueryClient();
  const what = ids?.length ? formatPlural(ids.length, "session") : "everything in the trash";
  const purge = async () => {
    if (!ids) return;
    setWorking(true);
    try {
      const count = await api.purgeSessions(ids);
      // The session on screen may be among them.
      await client.invalidateQueries({ queryKey: ["session"] });
      toastDone(`Deleted ${formatPlural(count, "session")} for good`);
      onClose();
    } catch (reason) {
      toastError("Could not delete the sessions", reason);
    } finally {
      setWorking(false);
    }
  };
  return (
    <Dialog
      open={ids !== undefined}
      onClose={onClose}
      title={`Delete ${what} for good?`}
      description="The messages, branches and labels are removed from the library. This cannot be undone. The files they were imported from stay as they are."
      footer={
        <>
          <Button data-autofocus onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" disabled={working} onClick={purge}>
            Delete for good
          </Button>
        </>
      }
    />
  );
}
