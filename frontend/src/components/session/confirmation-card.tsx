import { ShieldQuestion } from "lucide-react";
import { Button } from "@/components/form/button";
import { Shown } from "@/components/text/shown";
import type { Confirmation } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";

interface ConfirmationCardProps {
  asked: readonly Confirmation[];
  onConfirm: () => void;
  onDismiss: () => void;
}

/** Asks the user to agree to what a run would do: to work in a folder, or to send the conversation to another server. */
export function ConfirmationCard({ asked, onConfirm, onDismiss }: ConfirmationCardProps) {
  // Several questions may arise about one folder.
  const actions = [...new Set(asked.map(({ action }) => action))];
  return (
    <section
      role="alertdialog"
      aria-label={t("Confirm before the run starts")}
      className="mb-2 rounded-lg border border-warn bg-surface p-3"
    >
      {asked.map(({ token, text }) => (
        <p key={token} className="selectable flex items-start gap-2 [overflow-wrap:anywhere]">
          <ShieldQuestion size={16} className="mt-px shrink-0 text-warn" aria-hidden="true" />
          <span className="min-w-0">
            <Shown text={`${text.charAt(0).toUpperCase()}${text.slice(1)}.`} />
          </span>
        </p>
      ))}
      <div className="mt-3 flex flex-wrap items-center justify-end gap-2">
        <Button onClick={onDismiss}>{t("Cancel")}</Button>
        <Button onClick={onConfirm}>{actions.join(", ")}</Button>
      </div>
    </section>
  );
}
