import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toastDone, toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { Dialog } from "@/components/overlay/dialog";
import { api } from "@/lib/api/api";
import { plural, t } from "@/lib/i18n/i18n";

interface PurgeDialogProps {
  /** The sessions to delete permanently; empty: the whole trash; undefined: closed. */
  ids: string[] | undefined;
  onClose: () => void;
}

/** Asks before the only action in the library that cannot be undone. */
export function PurgeDialog({ ids, onClose }: PurgeDialogProps) {
  const [working, setWorking] = useState(false);
  const client = useQueryClient();
  const purge = async () => {
    if (!ids) return;
    setWorking(true);
    try {
      const count = await api.purgeSessions(ids);
      // The session on screen may be among them.
      await client.invalidateQueries({ queryKey: ["session"] });
      toastDone(
        plural(count, "Deleted {{count}} session for good", "Deleted {{count}} sessions for good"),
      );
      onClose();
    } catch (reason) {
      toastError(t("Could not delete the sessions"), reason);
    } finally {
      setWorking(false);
    }
  };
  return (
    <Dialog
      open={ids !== undefined}
      onClose={onClose}
      title={
        ids?.length
          ? plural(
              ids.length,
              "Delete {{count}} session for good?",
              "Delete {{count}} sessions for good?",
            )
          : t("Delete everything in the trash for good?")
      }
      description={t(
        "The messages, branches and labels are removed from the library. This cannot be undone. The files they were imported from stay as they are.",
      )}
      footer={
        <>
          <Button data-autofocus onClick={onClose}>
            {t("Cancel")}
          </Button>
          <Button variant="danger" disabled={working} onClick={purge}>
            {t("Delete for good")}
          </Button>
        </>
      }
    />
  );
}
