import { useEffect, useRef } from "react";
import { Button } from "@/components/form/button";
import { t } from "@/lib/i18n/i18n";

interface DenyFieldProps {
  onDeny: (reason: string) => void;
  onCancel: () => void;
}

/** The reason of a refusal: the model reads it and continues without the call. */
export function DenyField({ onDeny, onCancel }: DenyFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const deny = () => onDeny(field.current?.value.trim() ?? "");
  return (
    <div className="mt-3 flex items-center gap-2">
      <input
        ref={field}
        aria-label={t("Reason for the model")}
        placeholder={t("Reason for the model (optional)")}
        dir="auto"
        className="h-7 min-w-0 flex-1 rounded border border-border-strong bg-surface px-2"
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter") deny();
          else if (event.key === "Escape") onCancel();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <Button variant="danger" onClick={deny}>
        {t("Deny")}
      </Button>
      <Button variant="quiet" onClick={onCancel}>
        {t("Back")}
      </Button>
    </div>
  );
}
