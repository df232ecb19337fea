// Short messages at the bottom of the window. Toaster (toaster.tsx) draws them.

import { toast } from "sonner";
import { toApiError } from "@/lib/api/api";
import { visible } from "@/lib/format/visible";
import { t } from "@/lib/i18n/i18n";
import { rememberUndo, undo } from "@/lib/store/undo";

/** The layer for toasts while a dialog is open. */
export const overDialog = "over-dialog";

function layer(): string | undefined {
  return document.querySelector("[data-scrim]") ? overDialog : undefined;
}

const undoMs = 8000;
let nextToast = 1;

/** Reports an action and offers to undo it, for 8 s here and then in Edit > Undo. */
export function toastUndo(title: string, revert: () => Promise<void>): void {
  const shown = `undo ${nextToast++}`;
  const id = rememberUndo(title, async () => {
    toast.dismiss(shown);
    await revert();
  });
  toast(visible(title), {
    id: shown,
    toasterId: layer(),
    duration: undoMs,
    action: {
      label: t("Undo"),
      onClick: () => {
        undo(id).catch((error) => toastError(t("Could not undo"), error));
      },
    },
  });
}

/** Reports that an action is done, with at most one next action. */
export function toastDone(title: string, action?: { label: string; onClick: () => void }): void {
  toast(visible(title), { action, toasterId: layer(), duration: action ? undoMs : 4000 });
}

/** Reports what failed, why, and what to do. Stays until it is closed. */
export function toastError(title: string, reason: unknown): void {
  const { message, hint } = toApiError(reason);
  toast.error(visible(title), {
    description: visible(hint ? `${message}. ${hint}` : message),
    toasterId: layer(),
    duration: Number.POSITIVE_INFINITY,
    closeButton: true,
  });
}
