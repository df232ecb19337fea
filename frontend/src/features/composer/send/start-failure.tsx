import { CircleAlert, X } from "lucide-react";
import { Button } from "@/components/form/button";
import { IconButton } from "@/components/form/icon-button";
import { ConfirmationCard } from "@/components/session/confirmation-card";
import { t } from "@/lib/i18n/i18n";
import { runCommand } from "@/lib/keys/commands";
import type { Starter } from "./use-starter";

/** Failures that another model may help with. */
const modelCodes = ["auth", "not_found", "unavailable", "rate_limit", "overloaded"];

interface StartFailureProps {
  failure: NonNullable<Starter["failure"]>;
  onTakeOver: () => void;
  /** The user agrees to everything that is asked. */
  onConfirm: () => void;
  onDismiss: () => void;
}

/** Why a run could not begin, and what to do. The text is still in the field. */
export function StartFailure({ failure, onTakeOver, onConfirm, onDismiss }: StartFailureProps) {
  const { error, asked } = failure;
  if (asked.length > 0)
    return <ConfirmationCard asked={asked} onConfirm={onConfirm} onDismiss={onDismiss} />;
  // Only the user may know whether the other machine is still active.
  const elsewhere = error.remedy === "take_over";
  const { hint } = error;
  return (
    <div role="alert" className="mb-2 flex items-start gap-2 rounded-lg bg-sunken px-3 py-2">
      <CircleAlert size={16} className="mt-px shrink-0 text-error" aria-hidden="true" />
      <p className="selectable min-w-0 flex-1 [overflow-wrap:anywhere]">
        {t("Could not start the run: {{message}}", { message: error.message })}
        {hint && <span className="block text-text-2">{hint}</span>}
      </p>
      {elsewhere && <Button onClick={onTakeOver}>{t("Take over")}</Button>}
      {error.code === "auth" && (
        <Button onClick={() => runCommand("model-keys")}>{t("Model keys…")}</Button>
      )}
      {modelCodes.includes(error.code) && (
        <Button onClick={() => runCommand("choose-model")}>{t("Choose model…")}</Button>
      )}
      <IconButton icon={X} label={t("Dismiss")} className="-mt-1 !size-6" onClick={onDismiss} />
    </div>
  );
}
